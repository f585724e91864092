package io.talosgateway.localcluster;

import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Messages;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Position;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The script as users run it, with as small a cluster as there is. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class LocalClusterIT {

    private static final Path SCRIPT =
            Path.of("..", "local-cluster.sh").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    private Path folder;
    private int runs;

    /** @param output both what it said and what it complained of */
    private record Result(int status, String output) {}

    private Result run(String... arguments) throws Exception {
        folder = directory.resolve("cluster");
        List<String> words = new ArrayList<>(List.of(SCRIPT.toString()));
        words.addAll(List.of(arguments));
        words.addAll(List.of("--dir", folder.toString()));
        Path output = directory.resolve("output-" + runs++ + ".txt");
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("TALOS_LOCAL_CLUSTER_BUILD", "never");
        Process process = builder.start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), Files.readString(output));
    }

    private void succeed(String... arguments) throws Exception {
        Result result = run(arguments);
        assertThat(result.status).as(result.output).isZero();
    }

    @AfterEach
    void down() throws Exception {
        if (Files.exists(folder)) {
            succeed("down");
        }
    }

    private GatewayClient client() throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(folder.resolve("cluster.properties"))) {
            properties.load(reader);
        }
        return GatewayClient.builder(URI.create(properties.getProperty("gateway-1.endpoint")))
                .key(properties.getProperty("access.key-id"), properties.getProperty("access.secret"))
                .build();
    }

    private static String onlyMessage(GatewayClient client) throws Exception {
        Messages messages =
                client.get("orders", 0, Position.EARLIEST, GetOptions.DEFAULT).get();
        assertThat(messages.messages()).hasSize(1);
        return messages.messages().get(0).text();
    }

    @Test
    void messagesAreThereAfterAGatewayWasKilled() throws Exception {
        succeed("up", "--gateways", "1", "--datanodes", "1");
        String id = new ClusterFolder(folder).readExisting().id();
        GatewayClient client = client();
        client.createTopic(new NewTopic("orders", 1)).get();
        client.put("orders", 0, List.of(NewMessage.of("paid"))).get();
        assertThat(onlyMessage(client)).isEqualTo("paid");

        succeed("kill", "gateway-1");
        assertThat(run("status").output).containsPattern("gateway-1 +down");
        Result again = run("kill", "gateway-1");
        assertThat(again.status).isEqualTo(1);
        assertThat(again.output).contains("gateway-1 is down");

        succeed("start", "gateway-1");
        assertThat(onlyMessage(client)).isEqualTo("paid");

        assertThat(ProcessTable.hostsOf(id, ProcessTable.read()))
                .containsOnlyKeys("zookeeper", "namenode", "datanode-1", "gateway-1");
        succeed("down");
        assertThat(ProcessTable.hostsOf(id, ProcessTable.read())).isEmpty();
        assertThat(folder).doesNotExist();
    }
}
