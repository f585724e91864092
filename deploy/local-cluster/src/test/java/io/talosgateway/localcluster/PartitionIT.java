package io.talosgateway.localcluster;

import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Message;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Partition;
import io.talosgateway.client.Position;
import io.talosgateway.client.RetryPolicy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gateway is cut off from all others: the other one takes its partitions over, and when it is connected again, no
 * message is lost. Where the machine allows no networks, {@code up} says so.
 */
final class PartitionIT {

    private static final int PARTITIONS = 6;
    private static final String TOPIC = "orders";
    private static final RetryPolicy PATIENT = new RetryPolicy(60, Duration.ofMillis(100), Duration.ofSeconds(1));

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    private ClusterScript cluster;
    private final Map<Integer, List<String>> put = new TreeMap<>();

    @BeforeEach
    void useDirectory() {
        cluster = new ClusterScript(directory);
    }

    @AfterEach
    void down() throws Exception {
        cluster.down();
    }

    @Test
    void gatewayThatIsCutOffLosesItsPartitionsAndNoMessage() throws Exception {
        ClusterScript.Result up = cluster.run(
                "up",
                "--networks",
                "--gateways",
                "2",
                "--datanodes",
                "1",
                "--set",
                "zookeeper.session-timeout=4s",
                "--set",
                "cluster.removal-delay=2s");
        if (!machineAllowsNetworks()) {
            assertThat(up.status()).isEqualTo(1);
            assertThat(up.output())
                    .contains("There can be no networks for the gateways: 'ip ")
                    .contains("or leave out --networks");
            assertThat(cluster.folder()).doesNotExist();
            return;
        }
        assertThat(up.status()).as(up.output()).isZero();
        Network network = network();

        cutOffAndHeal();

        assertThat(namesOf(network)).hasSize(2 + 3);
        cluster.succeed("down");
        assertThat(namesOf(network)).isEmpty();
    }

    private void cutOffAndHeal() throws Exception {
        Properties properties = properties();
        GatewayClient first = client(properties, "gateway-1");
        GatewayClient second = client(properties, "gateway-2");
        first.createTopic(new NewTopic(TOPIC, PARTITIONS)).get();
        putEverywhere(second, "before");
        String firstOwner =
                URI.create(properties.getProperty("gateway-1.endpoint")).getAuthority();
        assertThat(owners(second)).contains(firstOwner);

        cluster.succeed("partition", "gateway-1");
        cluster.succeed("partition", "gateway-1");
        assertThat(cluster.run("status").output()).containsPattern("gateway-1 +partitioned");
        awaitReady("gateway-2");
        putEverywhere(second, "meanwhile");
        assertThat(owners(second)).doesNotContain(firstOwner);

        cluster.succeed("heal", "gateway-1");
        awaitReady("gateway-1");
        putEverywhere(first, "after");
        for (GatewayClient client : List.of(first, second)) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(messages(client, partition)).isEqualTo(put.get(partition));
            }
        }
    }

    private void putEverywhere(GatewayClient client, String text) throws Exception {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            client.put(TOPIC, partition, List.of(NewMessage.of(text))).get(4, TimeUnit.MINUTES);
            put.computeIfAbsent(partition, any -> new ArrayList<>()).add(text);
        }
    }

    private static List<@Nullable String> owners(GatewayClient client) throws Exception {
        return client.partitions(TOPIC).get().stream().map(Partition::owner).toList();
    }

    private static List<String> messages(GatewayClient client, int partition) throws Exception {
        return client.get(TOPIC, partition, Position.EARLIEST, GetOptions.DEFAULT).get().messages().stream()
                .map(Message::text)
                .toList();
    }

    private void awaitReady(String host) throws Exception {
        while (!cluster.run("status").output().lines().anyMatch(line -> line.matches(host + " +ready .*"))) {
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    private Properties properties() throws Exception {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(cluster.folder().resolve("cluster.properties"))) {
            properties.load(reader);
        }
        return properties;
    }

    private static GatewayClient client(Properties properties, String gateway) {
        return GatewayClient.builder(URI.create(properties.getProperty(gateway + ".endpoint")))
                .key(properties.getProperty("access.key-id"), properties.getProperty("access.secret"))
                .retries(PATIENT)
                .timeout(Duration.ofMinutes(3))
                .build();
    }

    private Network network() throws Exception {
        Network network = new ClusterFolder(cluster.folder()).readExisting().network();
        assertThat(network).isNotNull();
        return network;
    }

    /** Namespaces and links. */
    private static List<String> namesOf(Network network) throws Exception {
        List<String> names = new ArrayList<>(Networks.ip("netns", "list"));
        names.replaceAll(line -> line.replaceFirst("\\s.*", ""));
        names.addAll(Networks.links(Networks.ip("-o", "link", "show")).keySet());
        names.removeIf(name -> !network.owns(name));
        return names;
    }

    /** Found out without the code that is tested. */
    private static boolean machineAllowsNetworks() throws Exception {
        String name = "tltest" + ProcessHandle.current().pid();
        String tries =
                "ip netns add %1$s && ip link add %1$s type veth peer name eth0 netns %1$s && ip link delete %1$s; "
                        + "status=$?; ip netns delete %1$s; exit $status";
        return new ProcessBuilder("/bin/sh", "-c", tries.formatted(name))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
