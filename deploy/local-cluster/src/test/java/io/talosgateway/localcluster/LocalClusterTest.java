package io.talosgateway.localcluster;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** The commands as far as they need no processes. */
final class LocalClusterTest {

    @TempDir
    private Path directory;

    private record Result(int status, String out, String err) {}

    private Result run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command = LocalCluster.commandLine();
        command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        List<String> words = new ArrayList<>(List.of(arguments));
        words.addAll(List.of("--dir", directory.toString()));
        return new Result(command.execute(words.toArray(String[]::new)), out.toString(), err.toString());
    }

    private RunningCluster makeCluster() throws Exception {
        RunningCluster cluster = Clusters.of(1, 1, Map.of());
        ClusterFolder folder = new ClusterFolder(directory);
        folder.write(cluster);
        Files.createDirectories(folder.logs());
        return cluster;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill",
                "stop",
                "pause",
                "resume",
                "start",
                "restart",
                "partition",
                "heal",
                "shift-clock",
                "reset-clock",
                "fill",
                "free"
            })
    void commandsForHostsNeedACluster(String command) {
        Result result = command.equals("shift-clock") ? run(command, "gateway-1", "PT1M") : run(command, "gateway-1");
        assertThat(result)
                .isEqualTo(new Result(
                        1,
                        "",
                        "local-cluster.sh: There is no cluster in %s; 'local-cluster.sh up' makes one%n"
                                .formatted(directory)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "down"})
    void otherCommandsNeedOneToo(String command) {
        assertThat(run(command).err()).contains("There is no cluster in");
        assertThat(run(command).status()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"kill", "stop", "pause", "resume", "restart"})
    void hostThatIsDownIsToldAsSuch(String command) throws Exception {
        makeCluster();

        assertThat(run(command, "datanode-1"))
                .isEqualTo(new Result(
                        1, "", "local-cluster.sh: datanode-1 is down; 'start datanode-1' starts it%n".formatted()));
    }

    @Test
    void clockOfAGatewayIsShiftedByAFile() throws Exception {
        RunningCluster cluster = makeCluster();
        ClusterFolder folder = new ClusterFolder(directory);
        Host gateway = Host.gateway(1);
        Files.createDirectories(folder.configuration(gateway));

        assertThat(run("shift-clock", "gateway-1", "PT-10M").out())
                .isEqualTo("The clock of gateway-1 is off by PT-10M%n".formatted());
        assertThat(folder.clockShift(gateway)).hasContent("PT-10M");
        assertThat(HostCommand.of(cluster, folder, gateway).environment().get("TALOS_SERVER_JAVA_OPTS"))
                .contains("-Dtalos.test.clock-shift-file=" + folder.clockShift(gateway));
        assertThat(run("reset-clock", "gateway-1").status()).isZero();
        assertThat(folder.clockShift(gateway)).hasContent("PT0S");
        assertThat(run("shift-clock", "namenode", "PT1M").err()).contains("Only the clocks of gateways");
        assertThat(run("fill", "gateway-1").err()).contains("name 'namenode', not 'gateway-1'");
    }

    @Test
    void onlyKillAndStartAreForAllHosts() throws Exception {
        makeCluster();

        assertThat(run("kill", "all")).isEqualTo(new Result(0, "Killed: nothing ran%n".formatted(), ""));
        assertThat(run("pause", "all").err()).contains("'pause' is for one host at a time");
    }

    @Test
    void unknownHostIsAnsweredWithTheKnownOnes() throws Exception {
        makeCluster();

        Result result = run("kill", "gateway-2");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("there are zookeeper, namenode, datanode-1, gateway-1");
    }

    @Test
    void portThatAStrangerHasIsNamed() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = stranger.getLocalPort();
            new ClusterFolder(directory)
                    .write(new RunningCluster(
                            "0123456789abcdef",
                            new ClusterShape(1, 1, "320m", Map.of()),
                            Map.of("zookeeper", Map.of("client", port)),
                            "secret",
                            null));

            Result result = run("start", "zookeeper");

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err())
                    .startsWith(
                            "local-cluster.sh: Port %d, which is for zookeeper (client), is taken by another program"
                                    .formatted(port));
        }
    }

    @Test
    void statusTellsEveryHost() throws Exception {
        RunningCluster cluster = makeCluster();

        Result result = run("status");

        assertThat(result.status()).isZero();
        assertThat(result.out())
                .containsPattern("gateway-1 +down +- +" + cluster.endpoint(Host.gateway(1)))
                .hasLineCount(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"partition", "heal"})
    void hostsOnLoopbackCannotBeCutOff(String command) throws Exception {
        makeCluster();

        Result result = run(command, "gateway-1");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains("share the loopback network", "bring the cluster up with --networks", "'pause HOST'");
    }

    @Test
    void onlyGatewaysCanBeCutOff() throws Exception {
        new ClusterFolder(directory).write(Clusters.withNetworks(1, 1));

        Result result = run("partition", "datanode-1");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("Only gateways have networks of their own", "'pause datanode-1'");
    }

    @Test
    void clusterOnLoopbackStaysThere() throws Exception {
        makeCluster();

        Result result = run("up", "--networks");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .contains("The cluster was made without --networks, and stays as it is. 'down' deletes it");
    }

    @ParameterizedTest
    @CsvSource({
        "--gateways=0, --gateways must be 1 to 16: 0",
        "--gateways=many, Invalid value for option '--gateways'",
        "--set=host.name=x, --set cannot change host.name",
        "--set=journal.lane=2, journal.lane"
    })
    void wrongUsageOfUpMakesNothing(String option, String sentence) {
        Result result = run("up", option);

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains(sentence);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void clusterKeepsItsShape() throws Exception {
        new ClusterFolder(directory).write(Clusters.of(1, 3, Map.of()));

        Result result = run("up", "--datanodes", "2");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("The cluster was made in another shape", "dataNodes=3", "'down' deletes it");
    }

    @Test
    void downDeletesAClusterWithoutProcesses() throws Exception {
        makeCluster();

        assertThat(run("down")).isEqualTo(new Result(0, "Down; nothing of it is left%n".formatted(), ""));
        assertThat(directory).doesNotExist();
    }
}
