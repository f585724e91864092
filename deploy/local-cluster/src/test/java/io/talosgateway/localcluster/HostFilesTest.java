package io.talosgateway.localcluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.ConfigException;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is written for the hosts, and for programs that use them. */
final class HostFilesTest {

    private static final ClusterFolder FOLDER = new ClusterFolder(Path.of("/folder/cluster"));

    private final RunningCluster cluster = Clusters.of(2, 2, Map.of("zookeeper.session-timeout", "4s"));

    private static Map<String, String> parsed(String text) throws Exception {
        Properties properties = new Properties();
        properties.load(new StringReader(text));
        Map<String, String> values = new LinkedHashMap<>();
        properties.forEach((key, value) -> values.put((String) key, (String) value));
        return values;
    }

    @Test
    void propertiesAreReadAsTheyWereWritten() throws Exception {
        Map<String, String> properties =
                Map.of("a b:c=d", " x=y:z # ! ", "path", "C:\\dir\\", "#lines", "one\ntwo", "empty", "");

        assertThat(parsed(ClusterFiles.toText(properties))).isEqualTo(properties);
    }

    @Test
    void programsAreToldWhatTheyNeed() {
        AccessKey key = new AccessKey("ID", "SECRET", "root", null, true, 0);

        Map<String, String> properties = ClusterFiles.properties(cluster, "/x/local-cluster.sh", key);

        assertThat(properties)
                .containsEntry("cluster.script", "/x/local-cluster.sh")
                .containsEntry("zookeeper.connect", "127.0.0.1:" + cluster.port(Host.ZOOKEEPER, "client"))
                .containsEntry("storage.root", "hdfs://127.0.0.1:" + cluster.port(Host.NAMENODE, "rpc") + "/talos")
                .containsEntry("networks", "false")
                .containsEntry("gateways", "gateway-1,gateway-2")
                .containsEntry("datanodes", "datanode-1,datanode-2")
                .containsEntry("gateway-2.endpoint", "http://127.0.0.1:" + cluster.port(Host.gateway(2), "http"))
                .containsEntry("gateway-2.ops", "http://127.0.0.1:" + cluster.port(Host.gateway(2), "ops"))
                .containsEntry("access.key-id", "ID")
                .containsEntry("access.secret", "SECRET")
                .hasSize(12);
    }

    @Test
    void gatewayUnderstandsItsConfiguration() throws Exception {
        Map<String, String> settings =
                parsed(ClusterFiles.toText(GatewaySettings.of(cluster, FOLDER, Host.gateway(2))));

        GatewayConfig config = GatewayConfig.of(settings);

        assertThat(config.http().port()).isEqualTo(cluster.port(Host.gateway(2), "http"));
        assertThat(config.auth().keyFile()).isEqualTo(Path.of("/folder/cluster/keys.json"));
        assertThat(settings).containsEntry("host.name", "gateway-2").containsEntry("zookeeper.session-timeout", "4s");
    }

    @Test
    void gatewayIsToldHowItsPeersReachIt() {
        Host gateway = Host.gateway(1);

        assertThat(GatewaySettings.of(cluster, FOLDER, gateway))
                .containsEntry("peer.host", "127.0.0.1")
                .containsEntry("peer.port", String.valueOf(cluster.port(gateway, "peer")))
                .containsEntry("peer.secret", "secret");
    }

    @Test
    void everyHostListensInTheNetworkOfTheCluster() {
        RunningCluster apart = Clusters.withNetworks(2, 1);
        AccessKey key = new AccessKey("ID", "SECRET", "root", null, true, 0);

        assertThat(ClusterFiles.properties(apart, "/x/local-cluster.sh", key))
                .containsEntry("networks", "true")
                .containsEntry("zookeeper.connect", "10.201.7.1:" + apart.port(Host.ZOOKEEPER, "client"))
                .containsEntry("gateway-2.endpoint", "http://10.201.7.12:" + apart.port(Host.gateway(2), "http"))
                .containsEntry("gateway-2.ops", "http://10.201.7.12:" + apart.port(Host.gateway(2), "ops"));
        assertThat(GatewaySettings.of(apart, FOLDER, Host.gateway(1)))
                .containsEntry("http.host", "10.201.7.11")
                .containsEntry("ops.host", "10.201.7.11")
                .containsEntry("peer.host", "10.201.7.11");
        assertThat(HadoopSettings.of(apart, FOLDER, Host.dataNode(1)).get("dfs.datanode.hostname"))
                .isEqualTo("10.201.7.1");
    }

    @Test
    void onlyGatewaysAreStartedInNamespaces() {
        RunningCluster apart = Clusters.withNetworks(1, 1);

        assertThat(HostCommand.of(apart, FOLDER, Host.gateway(1)).command())
                .startsWith("nsenter", "--net=/var/run/netns/tl0123456789-1", "--");
        assertThat(HostCommand.of(apart, FOLDER, Host.dataNode(1)).command()).doesNotContain("nsenter");
        assertThat(HostCommand.of(cluster, FOLDER, Host.gateway(1)).command()).doesNotContain("nsenter");
    }

    @Test
    void settingsThatTheClusterDecidesAreRefused() {
        ClusterShape shape = new ClusterShape(1, 1, "320m", Map.of("http.port", "1", "host.name", "x"));

        assertThatThrownBy(() -> GatewaySettings.check(shape))
                .hasMessage("--set cannot change host.name, http.port: every gateway of the cluster has its own");
    }

    @Test
    void settingsThatNoGatewayKnowsAreRefused() {
        ClusterShape shape = new ClusterShape(1, 1, "320m", Map.of("journal.lane", "1"));

        assertThatThrownBy(() -> GatewaySettings.check(shape))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("journal.lane");
    }

    @Test
    void dataNodesHaveFoldersAndPortsOfTheirOwn() {
        Configuration first = HadoopSettings.of(cluster, FOLDER, Host.dataNode(1));
        Configuration second = HadoopSettings.of(cluster, FOLDER, Host.dataNode(2));

        assertThat(first.get("dfs.datanode.data.dir")).isEqualTo("file:///folder/cluster/data/datanode-1/blocks");
        assertThat(first).extracting(Map.Entry::getValue).doesNotContain(second.get("dfs.datanode.address"));
        assertThat(first.get("fs.defaultFS")).isEqualTo(second.get("fs.defaultFS"));
    }

    @Test
    void hostsShareTheOptionsOfHdfs() throws Exception {
        for (Host host : List.of(Host.NAMENODE, Host.dataNode(1), Host.gateway(1))) {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            HadoopSettings.of(cluster, FOLDER, host).writeXml(file);
            Configuration read = new Configuration(false);
            read.addResource(new ByteArrayInputStream(file.toByteArray()));

            assertThat(read.getInt("dfs.heartbeat.interval", 3)).isEqualTo(1);
            assertThat(read.getLongBytes("dfs.blocksize", 0)).isEqualTo(64 << 20);
            assertThat(read.getInt("dfs.replication", 3)).isEqualTo(2);
            assertThat(read.get("dfs.namenode.rpc-address")).isEqualTo(cluster.address(Host.NAMENODE, "rpc"));
        }
    }

    @Test
    void reasonOfSafeModeComesWithoutTheAdvice() {
        assertThat(Probe.safeModeReason("Safe mode is ON. The reported blocks 0 needs additional 5 blocks to reach the "
                        + "threshold 0.9990 of total blocks 6. The minimum number of live datanodes is not required."))
                .isEqualTo("is in safe mode: The reported blocks 0 needs additional 5 blocks to reach the threshold "
                        + "0.9990 of total blocks 6");
    }
}
