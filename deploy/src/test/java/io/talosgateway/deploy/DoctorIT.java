package io.talosgateway.deploy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.cli.TalosGateway;
import io.talosgateway.rest.bootstrap.Gateway;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code talos-gateway doctor} beside two gateways, which share a real ZooKeeper and a real HDFS and speak TLS to each other. */
final class DoctorIT {

    private static final int DATA_NODES = 2;
    private static final String SECRET = "0123456789abcdef-of-this-test";

    @TempDir
    static Path directory;

    private static final List<HeldPort> PORTS = new ArrayList<>();

    private static TestingServer zooKeeper;
    private static MiniDFSCluster hdfs;
    private static PemCertificate certificate;
    private static Map<String, String> shared;
    private static List<Map<String, String>> hosts;
    private static List<Gateway> gateways;

    /** What a run has said. */
    private record Run(int status, JsonNode document, String progress) {

        /** Those of a level, as {@code check: message advice}. */
        List<String> of(String level) {
            List<String> found = new ArrayList<>();
            for (JsonNode finding : document.get("findings")) {
                if (finding.get("level").asText().equals(level)) {
                    found.add("%s: %s %s"
                            .formatted(
                                    finding.get("check").asText(),
                                    finding.get("message").asText(),
                                    finding.get("advice").asText("")));
                }
            }
            return found;
        }

        /** But for those that only say that this machine is slow. */
        List<String> warnings() {
            return of("WARN").stream()
                    .filter(text -> Stream.of(" forces ", "A sync takes ", "ZooKeeper answers in ")
                            .noneMatch(text::contains))
                    .toList();
        }
    }

    private static Path secretFile(String name, String text) throws Exception {
        Path file = Files.createFile(
                directory.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, text);
    }

    private static int heldPort() throws Exception {
        HeldPort port = new HeldPort();
        PORTS.add(port);
        return port.number();
    }

    @BeforeAll
    static void startCluster() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(
                MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.resolve("hdfs").toString());
        configuration.set("dfs.heartbeat.interval", "1");
        hdfs = new MiniDFSCluster.Builder(configuration)
                .numDataNodes(DATA_NODES)
                .build();
        hdfs.waitActive();
        zooKeeper = new TestingServer();
        certificate = PemCertificate.make(directory);
        Files.setPosixFilePermissions(certificate.key(), PosixFilePermissions.fromString("rw-------"));
        shared = new HashMap<>(Map.of(
                "zookeeper.connect", zooKeeper.getConnectString(),
                "zookeeper.auth", "@" + secretFile("zookeeper.auth", "hosts:of this test"),
                "peer.secret", "@" + secretFile("peer.secret", SECRET),
                "storage.root", "hdfs://127.0.0.1:" + hdfs.getNameNodePort() + "/talos",
                "hadoop.dfs.replication", String.valueOf(DATA_NODES),
                "peer.tls.certificate", certificate.certificate().toString(),
                "peer.tls.private-key", certificate.key().toString(),
                "peer.tls.trusted-certificates", certificate.certificate().toString()));
        // Hosts may be slow to prove who they are, where only few processors are there for the tests.
        shared.putAll(Map.of("forward.connect-timeout", "60s", "peer.handshake-timeout", "60s"));
        // As much as there are memory and files for in a test.
        shared.putAll(Map.of(
                "topic.max-topics", "5000",
                "topic.max-partitions-total", "40000",
                "http.max-connections", "100",
                "peer.max-connections", "100"));
        hosts = List.of(host("gateway-1"), host("gateway-2"));
        gateways = new ArrayList<>();
        for (Map<String, String> host : hosts) {
            gateways.add(Gateway.start(GatewayConfig.of(host)));
        }
    }

    private static Map<String, String> host(String name) throws Exception {
        Map<String, String> values = new HashMap<>(shared);
        values.put("host.name", name);
        values.put("data.directory", directory.resolve(name).toString());
        for (String port : List.of("http.port", "ops.port", "peer.port")) {
            values.put(port, String.valueOf(heldPort()));
        }
        return values;
    }

    @AfterAll
    static void stopCluster() throws Exception {
        gateways.forEach(Gateway::close);
        zooKeeper.close();
        hdfs.shutdown(true);
        for (HeldPort port : PORTS) {
            port.close();
        }
    }

    private static Map<String, String> with(Map<String, String> host, Map<String, String> changes) {
        Map<String, String> values = new HashMap<>(host);
        values.putAll(changes);
        return values;
    }

    private static Run doctor(Map<String, String> values, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("doctor", "--json"));
        arguments.addAll(List.of(more));
        if (!arguments.contains("--timeout")) {
            arguments.addAll(List.of("--timeout", "5m"));
        }
        values.forEach((key, value) -> arguments.addAll(List.of("--set", key + "=" + value)));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = TalosGateway.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments.toArray(String[]::new));
        assertThat(err.toString()).doesNotContain("Exception", "\tat ");
        return new Run(status, new ObjectMapper().readTree(out.toString()), err.toString());
    }

    private static Stream<String> names(FileSystem files, String path) throws Exception {
        return Stream.of(files.listStatus(new org.apache.hadoop.fs.Path(path)))
                .map(FileStatus::getPath)
                .map(org.apache.hadoop.fs.Path::getName);
    }

    @Test
    void runningHostIsInOrderAndNothingIsLeftBehind() throws Exception {
        Run run = doctor(hosts.get(0));

        assertThat(run.of("FAIL")).isEmpty();
        assertThat(run.warnings()).isEmpty();
        assertThat(run.status).isZero();
        assertThat(run.document.get("result").asText()).isEqualTo(run.of("WARN").isEmpty() ? "OK" : "WARN");
        assertThat(run.of("OK"))
                .anyMatch(text -> text.contains("(peer.port) is held by the gateway"))
                .anyMatch(text -> text.startsWith("peers: Host gateway-2 answers"))
                .anyMatch(text -> text.contains("clock of host gateway-2 agrees"))
                .anyMatch(text -> text.contains("clock of the NameNode agrees"))
                .anyMatch(text -> text.contains("clock of ZooKeeper's leader agrees"))
                .anyMatch(text -> text.contains("2 DataNodes are alive"))
                .anyMatch(text -> text.contains("written, forced and read; it has 2 copies"))
                .anyMatch(text -> text.contains("lease of a file"));
        try (FileSystem files = FileSystem.newInstance(hdfs.getURI(), new Configuration())) {
            assertThat(names(files, "/talos")).contains("cluster-id").noneMatch(name -> name.startsWith("doctor"));
        }
        assertThat(children("/talos")).contains("cluster").noneMatch(name -> name.startsWith("doctor"));
        // The data directory of a host of a cluster is not there until something is kept in it.
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(Path::getFileName).map(Path::toString)).noneMatch(name -> name.startsWith("doctor"));
        }
    }

    private static List<String> children(String path) throws Exception {
        try (CuratorFramework client =
                CuratorFrameworkFactory.newClient(zooKeeper.getConnectString(), new RetryOneTime(100))) {
            client.start();
            client.getZookeeperClient().blockUntilConnectedOrTimedOut();
            client.getZookeeperClient()
                    .getZooKeeper()
                    .addAuthInfo("digest", "hosts:of this test".getBytes(StandardCharsets.UTF_8));
            return client.getChildren().forPath(path);
        }
    }

    @Test
    void hostThatIsNotThereYetLeavesNoDirectories() throws Exception {
        Run run = doctor(with(
                host("gateway-3"),
                Map.of(
                        "storage.root",
                        "hdfs://127.0.0.1:" + hdfs.getNameNodePort() + "/new/cluster",
                        "zookeeper.root",
                        "/new/cluster")));

        assertThat(run.of("FAIL")).isEmpty();
        assertThat(run.warnings()).singleElement().asString().contains("on other machines", "Set peer.host");
        try (FileSystem files = FileSystem.newInstance(hdfs.getURI(), new Configuration())) {
            assertThat(names(files, "/")).contains("talos").doesNotContain("new");
        }
        assertThat(children("/")).contains("talos").doesNotContain("new");
        assertThat(directory.resolve("gateway-3")).doesNotExist();
    }

    @Test
    void hostThatIsNotRegisteredCanTellThatItsSecretIsRight() throws Exception {
        Run run = doctor(host("gateway-4"));

        assertThat(run.of("FAIL")).isEmpty();
        assertThat(run.of("OK"))
                .filteredOn(text -> text.startsWith("peers: Host"))
                .hasSize(2);
    }

    @Test
    void wrongSettingsAreNamedWithTheNextStep() throws Exception {
        Path open = Files.writeString(directory.resolve("open.secret"), "another-secret-0123456789");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        PemCertificate expired = PemCertificate.make(
                Files.createDirectory(directory.resolve("expired")), "-startdate", "-10d", "-validity", "5");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Run run = doctor(with(
                    host("gateway-5"),
                    Map.of(
                            "peer.secret",
                            "@" + open,
                            "http.port",
                            String.valueOf(taken.getLocalPort()),
                            "tls.port",
                            "0",
                            "tls.certificate",
                            expired.certificate().toString(),
                            "tls.key",
                            expired.key().toString(),
                            "hadoop.dfs.replication",
                            "3")));

            assertThat(run.status).isOne();
            assertThat(run.of("WARN"))
                    .anyMatch(text -> text.startsWith("configuration: Everybody on this machine can read " + open)
                            && text.contains("chmod 600 " + open))
                    .anyMatch(text -> text.contains("2 copies instead of 3") && text.contains("hdfs dfsadmin"));
            assertThat(run.of("FAIL"))
                    .anyMatch(text -> text.startsWith("certificates:")
                            && text.contains("expired at")
                            && text.contains("Renew it"))
                    .anyMatch(text -> text.startsWith("ports:")
                            && text.contains(taken.getLocalPort() + " (http.port) cannot be used")
                            && text.contains("Stop the program"))
                    .anyMatch(text -> text.startsWith("HDFS: 2 DataNodes are alive, but files have 3 copies")
                            && text.contains("Start DataNodes"))
                    .anyMatch(text -> text.startsWith("peers: Host gateway-1")
                            && text.contains("do all hosts have the same peer.secret?"));
        }
    }

    @Test
    void wrongPasswordOfZooKeeperIsNamed() throws Exception {
        Run run = doctor(
                with(host("gateway-6"), Map.of("zookeeper.auth", "@" + secretFile("wrong.auth", "hosts:wrong"))));

        assertThat(run.status).isOne();
        assertThat(run.of("FAIL"))
                .singleElement()
                .asString()
                .startsWith("ZooKeeper: ZooKeeper refuses this gateway")
                .contains("zookeeper.auth with which the cluster was created");
        assertThat(run.of("WARN")).anyMatch(text -> text.startsWith("peers: Not checked"));
    }

    @Test
    void deadServersAreNamedInTime() throws Exception {
        String nobody = "127.0.0.1:" + heldPort();
        long beganNanos = System.nanoTime();

        Run run = doctor(
                with(
                        host("gateway-7"),
                        Map.of("zookeeper.connect", nobody, "storage.root", "hdfs://" + nobody + "/talos")),
                "--timeout",
                "20s");

        assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofMinutes(3));
        assertThat(run.status).isOne();
        assertThat(run.of("FAIL"))
                .anyMatch(text -> text.startsWith("ZooKeeper: Cannot reach ZooKeeper at " + nobody)
                        && text.contains("Check that it runs"))
                .anyMatch(text -> text.startsWith("HDFS: Cannot use the storage hdfs://" + nobody)
                        && text.contains("Check that the NameNode runs"));
        // The others went on.
        assertThat(run.of("OK")).anyMatch(text -> text.startsWith("ports:"));
        assertThat(run.progress).contains("checking ZooKeeper ...");
    }

    @Test
    void silentNameNodeEndsTheCheckInTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            long beganNanos = System.nanoTime();

            Run run = doctor(
                    with(
                            host("gateway-8"),
                            Map.of("storage.root", "hdfs://127.0.0.1:" + silent.getLocalPort() + "/talos")),
                    "--timeout",
                    "20s");

            assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isLessThan(Duration.ofMinutes(3));
            assertThat(run.of("FAIL"))
                    .filteredOn(text -> text.startsWith("HDFS:"))
                    .singleElement()
                    .asString()
                    .startsWith("HDFS: Cannot use the storage")
                    .contains("no answer within 10 s");
            try (Socket asked = silent.accept()) {
                assertThat(asked.isConnected()).isTrue();
            }
        }
    }

    @Test
    void safeModeIsNamed() throws Exception {
        hdfs.getFileSystem().setSafeMode(SafeModeAction.ENTER);
        try {
            Run run = doctor(host("gateway-9"));

            assertThat(run.of("FAIL"))
                    .singleElement()
                    .asString()
                    .startsWith("HDFS:")
                    .contains("safe mode", "hdfs dfsadmin -safemode leave");
        } finally {
            hdfs.getFileSystem().setSafeMode(SafeModeAction.LEAVE);
        }
    }
}
