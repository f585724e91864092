package io.talosgateway.localcluster;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Messages;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The script as users run it, with as small a cluster as there is. */
final class LocalClusterIT {

    @TempDir
    private Path directory;

    private ClusterScript cluster;

    @BeforeEach
    void useDirectory() {
        cluster = new ClusterScript(directory);
    }

    @AfterEach
    void down() throws Exception {
        cluster.down();
    }

    private GatewayClient client() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(cluster.folder().resolve("cluster.properties"))) {
            properties.load(reader);
        }
        return GatewayClient.builder(URI.create(properties.getProperty("gateway-1.endpoint")))
                .key(properties.getProperty("access.key-id"), properties.getProperty("access.secret"))
                .build();
    }

    /** What the web server of HDFS says of its root. */
    private String webHdfs(String operation) throws Exception {
        String nameNode = new ClusterFolder(cluster.folder()).readExisting().address(Host.NAMENODE, "http");
        URI uri = URI.create("http://" + nameNode + "/webhdfs/v1/?op=" + operation);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body();
    }

    private static String onlyMessage(GatewayClient client) throws Exception {
        Messages messages =
                client.get("orders", 0, Position.EARLIEST, GetOptions.DEFAULT).get();
        assertThat(messages.messages()).hasSize(1);
        return messages.messages().get(0).text();
    }

    @Test
    void messagesAreThereAfterAGatewayWasKilled() throws Exception {
        cluster.succeed("up", "--gateways", "1", "--datanodes", "1");
        String id = new ClusterFolder(cluster.folder()).readExisting().id();
        GatewayClient client = client();
        client.createTopic(new NewTopic("orders", 1)).get();
        client.put("orders", 0, List.of(NewMessage.of("paid"))).get();
        assertThat(onlyMessage(client)).isEqualTo("paid");
        assertThat(webHdfs("LISTSTATUS")).contains("\"pathSuffix\":\"talos\"");

        cluster.succeed("kill", "gateway-1");
        assertThat(cluster.run("status").output()).containsPattern("gateway-1 +down");
        ClusterScript.Result again = cluster.run("kill", "gateway-1");
        assertThat(again.status()).isEqualTo(1);
        assertThat(again.output()).contains("gateway-1 is down");

        cluster.succeed("start", "gateway-1");
        assertThat(onlyMessage(client)).isEqualTo("paid");

        assertThat(HostProcess.of(id, HostProcess.all()))
                .containsOnlyKeys("zookeeper", "namenode", "datanode-1", "gateway-1");
        cluster.succeed("down");
        assertThat(HostProcess.of(id, HostProcess.all())).isEmpty();
        assertThat(cluster.folder()).doesNotExist();
    }
}
