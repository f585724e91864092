package io.talosgateway.verifier;

import java.io.IOException;
import java.io.Reader;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.Socket;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.http.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a cluster, as the file {@value #FILE} in its folder says:
 *
 * <pre>
 * cluster.script=/path/to/local-cluster.sh      run as SCRIPT COMMAND HOST --dir DIR; COMMAND is one of {@link FaultKind}
 * networks=true                                 gateways can be cut off by partition; false if it is not said
 * gateways=gateway-1,gateway-2
 * datanodes=datanode-1,datanode-2
 * gateway-1.endpoint=http://127.0.0.1:8080
 * gateway-1.ops=http://127.0.0.1:8081
 * access.key-id=...
 * access.secret=...
 * </pre>
 *
 * @param hosts does things to the hosts; null if nobody can
 * @param networks whether gateways can be cut off from the others
 * @param credentials null to send none
 */
public record VerifiedCluster(
        @Nullable VerifiedHosts hosts,
        boolean networks,
        List<Gateway> gateways,
        List<String> datanodes,
        @Nullable Credentials credentials) {

    static final String FILE = "cluster.properties";

    private static final int READY_TIMEOUT_MS = 2_000;

    /** @param ops where it says whether it is ready; null if that is not known */
    public record Gateway(
            String name, Endpoint endpoint, @Nullable Endpoint ops) {

        /** Asks whether it is ready; if only its endpoint is known, whether it takes connections. */
        private boolean isReady() {
            try {
                return ops == null ? takesConnections() : answersThatItIsReady(ops);
            } catch (IOException e) {
                return false;
            }
        }

        private boolean takesConnections() throws IOException {
            try (Socket socket = new Socket()) {
                socket.connect(endpoint.address(), READY_TIMEOUT_MS);
                return true;
            }
        }

        private static boolean answersThatItIsReady(Endpoint ops) throws IOException {
            URL url = ops.uri().resolve("/health/ready").toURL();
            HttpURLConnection connection = (HttpURLConnection) url.openConnection(Proxy.NO_PROXY);
            connection.setRequestProperty("Connection", "close");
            connection.setConnectTimeout(READY_TIMEOUT_MS);
            connection.setReadTimeout(READY_TIMEOUT_MS);
            try {
                return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
            } finally {
                connection.disconnect();
            }
        }
    }

    public VerifiedCluster {
        if (gateways.isEmpty() || gateways.size() >= AttemptLog.MAX_GATEWAYS) {
            throw new LoadFailure(
                    "A cluster has 1 to %d gateways, not %d".formatted(AttemptLog.MAX_GATEWAYS - 1, gateways.size()));
        }
    }

    /** A cluster of which only the endpoints are known. */
    static VerifiedCluster of(List<URI> endpoints, @Nullable Credentials credentials) {
        List<Gateway> gateways = endpoints.stream()
                .map(uri -> new Gateway(uri.getHost() + ":" + uri.getPort(), new Endpoint(uri), null))
                .toList();
        return new VerifiedCluster(null, false, gateways, List.of(), credentials);
    }

    /** @throws LoadFailure with a sentence for the user if there is no such cluster */
    static VerifiedCluster read(Path directory) {
        Path file = directory.resolve(FILE);
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new LoadFailure(
                    ("There is no cluster in %s: it has no %s. Start one with 'deploy/local-cluster.sh up', name its folder "
                                    + "with --cluster, or name gateways with --endpoint.")
                            .formatted(directory, FILE),
                    e);
        } catch (IOException | IllegalArgumentException e) {
            throw new LoadFailure(file + " cannot be read: " + e.getMessage(), e);
        }
        return new Parser(file, properties).cluster(directory);
    }

    private record Parser(Path file, Properties properties) {

        VerifiedCluster cluster(Path directory) {
            List<Gateway> gateways = new ArrayList<>();
            for (String name : names("gateways")) {
                gateways.add(
                        new Gateway(name, new Endpoint(uri(name + ".endpoint")), new Endpoint(uri(name + ".ops"))));
            }
            String script = properties.getProperty("cluster.script");
            String keyId = properties.getProperty("access.key-id");
            return new VerifiedCluster(
                    script == null ? null : new FaultScript(Path.of(script), directory),
                    Boolean.parseBoolean(
                            properties.getProperty("networks", "false").trim()),
                    gateways,
                    names("datanodes"),
                    keyId == null ? null : new Credentials(keyId, value("access.secret")));
        }

        private List<String> names(String key) {
            String value = properties.getProperty(key, "").trim();
            return value.isEmpty() ? List.of() : List.of(value.split("\\s*,\\s*", -1));
        }

        private String value(String key) {
            String value = properties.getProperty(key);
            if (value == null) {
                throw new LoadFailure(file + " does not say " + key);
            }
            return value.trim();
        }

        private URI uri(String key) {
            try {
                return URI.create(value(key));
            } catch (IllegalArgumentException e) {
                throw new LoadFailure("In %s, %s is not an address: %s".formatted(file, key, e.getMessage()), e);
            }
        }
    }

    List<String> gatewayNames() {
        return gateways.stream().map(Gateway::name).toList();
    }

    /** The names of the gateways that are not ready. */
    List<String> notReady() {
        return gateways.stream()
                .filter(gateway -> !gateway.isReady())
                .map(Gateway::name)
                .toList();
    }

    /** What every request to a gateway has after its request line. */
    String headers(int gateway) {
        return gateways.get(gateway).endpoint().headers(credentials);
    }
}
