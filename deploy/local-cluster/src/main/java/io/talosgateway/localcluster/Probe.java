package io.talosgateway.localcluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Asks a host whether it does what it is there for. */
final class Probe {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final String NAME_NODE_INFO = "qry=Hadoop:service=NameNode,name=NameNodeInfo";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** @param text what it does, in a few words */
    record Answer(boolean ready, String text) {}

    private final RunningCluster cluster;

    Probe(RunningCluster cluster) {
        this.cluster = cluster;
    }

    Answer ask(Host host) {
        try {
            return switch (host.kind()) {
                case ZOOKEEPER -> zooKeeper(host);
                case NAMENODE -> nameNode(host);
                case DATANODE -> dataNode(host);
                case GATEWAY -> gateway(host);
            };
        } catch (JsonProcessingException e) {
            return new Answer(false, "gives an answer that is not JSON");
        } catch (IOException e) {
            return new Answer(false, "does not answer");
        }
    }

    boolean isConnectable(Host host, String purpose) {
        try (Socket socket = new Socket()) {
            socket.connect(socketAddress(host, purpose), Math.toIntExact(TIMEOUT.toMillis()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private InetSocketAddress socketAddress(Host host, String purpose) {
        return new InetSocketAddress(cluster.ip(host), cluster.port(host, purpose));
    }

    private Answer zooKeeper(Host host) throws IOException {
        try (Socket socket = new Socket()) {
            int timeoutMs = Math.toIntExact(TIMEOUT.toMillis());
            socket.connect(socketAddress(host, "client"), timeoutMs);
            socket.setSoTimeout(timeoutMs);
            socket.getOutputStream().write("ruok".getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            String answer = new String(in.readNBytes(4), StandardCharsets.US_ASCII);
            return answer.equals("imok") ? new Answer(true, "answers") : new Answer(false, "does not answer");
        }
    }

    private Answer gateway(Host host) throws IOException {
        Reply reply = get("http://" + cluster.address(host, "ops") + "/health/ready");
        return new Answer(reply.status == HttpURLConnection.HTTP_OK, reply.body.strip());
    }

    private Answer nameNode(Host host) throws IOException {
        JsonNode bean = bean(host, NAME_NODE_INFO);
        if (bean.isMissingNode()) {
            return new Answer(false, "starts");
        }
        String safeMode = bean.path("Safemode").asText("");
        if (!safeMode.isEmpty()) {
            return new Answer(false, safeModeReason(safeMode));
        }
        return new Answer(true, "knows %d DataNodes".formatted(liveNodes(bean).size()));
    }

    /** The first sentences of what the NameNode says, which goes on with advice. */
    static String safeModeReason(String text) {
        String reason = text.replaceFirst("^Safe mode is ON\\.\\s*", "")
                .replaceFirst("\\.\\s.*", "")
                .strip();
        return "is in safe mode: " + reason;
    }

    private Answer dataNode(Host host) throws IOException {
        JsonNode state = bean(host, "get=" + DataNodeServer.STATE + "::Registered");
        if (!state.path("Registered").asBoolean()) {
            return new Answer(false, "connects to the NameNode");
        }
        try {
            JsonNode nameNode = bean(Host.NAMENODE, NAME_NODE_INFO);
            for (JsonNode live : liveNodes(nameNode)) {
                if (live.path("xferaddr").asText().equals(cluster.address(host, "data"))) {
                    return new Answer(
                            true,
                            "registered, %d blocks"
                                    .formatted(live.path("numBlocks").asInt()));
                }
            }
            return new Answer(false, "is not registered with the NameNode");
        } catch (IOException e) {
            return new Answer(false, "the NameNode does not answer");
        }
    }

    private static JsonNode liveNodes(JsonNode nameNodeInfo) throws IOException {
        return MAPPER.readTree(nameNodeInfo.path("LiveNodes").asText("{}"));
    }

    private JsonNode bean(Host host, String query) throws IOException {
        Reply reply = get("http://" + cluster.address(host, "http") + "/jmx?" + query);
        return MAPPER.readTree(reply.body).path("beans").path(0);
    }

    private record Reply(int status, String body) {}

    /** By the JDK's older client: the newer one reads the certificates that Java trusts, which takes longer than the rest. */
    private static Reply get(String uri) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(uri).toURL().openConnection(Proxy.NO_PROXY);
        connection.setConnectTimeout(Math.toIntExact(TIMEOUT.toMillis()));
        connection.setReadTimeout(Math.toIntExact(TIMEOUT.toMillis()));
        int status = connection.getResponseCode();
        try (InputStream in = status < HttpURLConnection.HTTP_BAD_REQUEST
                ? connection.getInputStream()
                : connection.getErrorStream()) {
            return new Reply(status, in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
