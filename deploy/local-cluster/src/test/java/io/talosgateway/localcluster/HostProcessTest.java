package io.talosgateway.localcluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class HostProcessTest {

    private static final String ID = "0123456789abcdef";

    @Test
    void markIsFoundAmongTheWordsOfTheCommandLine() {
        assertThat(HostProcess.marks("-cp", "/my folder/lib/*", HostProcess.option(ID, "gateway-1"), "Main"))
                .containsExactly(ID + "/gateway-1");
        assertThat(HostProcess.marks("Main", "gateway-1", ID)).isEmpty();
    }

    @Test
    void stoppedProcessIsSeenWhateverItsName() {
        assertThat(HostProcess.isStopped("7 (a) S (b) T 1 7 7 0")).isTrue();
        assertThat(HostProcess.isStopped("7 (a) T (b) S 1 7 7 0")).isFalse();
    }

    @Test
    void programThatIsAboutToBecomeAHostIsNone() {
        assertThat(HostProcess.marks("setsid", "java", HostProcess.option(ID, "gateway-1"), "Main"))
                .isEmpty();
    }

    /** Others still hold its ports when the first thread, and the command line with it, has ended. */
    @Test
    void processHasEndedWhenAllItsThreadsHave(@TempDir Path process) throws Exception {
        Files.createDirectories(process.resolve("task/7"));
        Files.createDirectory(process.resolve("task/8"));
        Path stat = process.resolve("stat");
        Files.writeString(stat, "7 (java) Z 1 7 7 0");
        assertThat(HostProcess.hasEnded(process)).isFalse();

        Files.delete(process.resolve("task/8"));
        assertThat(HostProcess.hasEnded(process)).isTrue();

        Files.writeString(stat, "7 (Z) S 1 7 7 0");
        assertThat(HostProcess.hasEnded(process)).isFalse();

        assertThat(HostProcess.hasEnded(process.resolve("gone"))).isTrue();
    }

    @Test
    void hostsOfAClusterAreThoseWithItsMark() {
        HostProcess gateway = new HostProcess(10, 1, ID + "/gateway-1");
        HostProcess dataNode = new HostProcess(11, 1, ID + "/datanode-1");
        HostProcess ofAnotherCluster = new HostProcess(12, 1, "fedcba9876543210/gateway-1");

        assertThat(HostProcess.of(ID, List.of(gateway, dataNode, ofAnotherCluster)))
                .isEqualTo(Map.of("gateway-1", gateway, "datanode-1", dataNode));
    }

    @Test
    void programThatAHostIsAboutToStartIsNoHost() {
        HostProcess host = new HostProcess(20, 1, ID + "/datanode-1");
        HostProcess started = new HostProcess(19, 20, ID + "/datanode-1");

        assertThat(HostProcess.of(ID, List.of(host, started))).isEqualTo(Map.of("datanode-1", host));
        assertThat(HostProcess.of(ID, List.of(started, host))).isEqualTo(Map.of("datanode-1", host));
    }

    @Test
    void processOfTheSystemIsFoundStoppedResumedAndKilled() throws Exception {
        String id = "test" + ProcessHandle.current().pid();
        // Its command line is longer than a page of the memory.
        Process shell = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "read line",
                        "sh",
                        HostProcess.option(id, "gateway-1"),
                        "a folder",
                        "x".repeat(10_000))
                .start();
        try {
            HostProcess process = HostProcess.of(id, HostProcess.all()).get("gateway-1");
            assertThat(process.pid()).isEqualTo(shell.pid());
            assertThat(process.parent()).isEqualTo(ProcessHandle.current().pid());
            assertThat(process.stopped()).isFalse();
            assertThat(process.hasEnded()).isFalse();

            assertThat(process.send(HostProcess.Signal.STOP)).isTrue();
            awaitStopped(process, true);
            assertThat(process.send(HostProcess.Signal.CONT)).isTrue();
            awaitStopped(process, false);

            assertThat(process.send(HostProcess.Signal.KILL)).isTrue();
            shell.waitFor();
            assertThat(process.hasEnded()).isTrue();
            assertThat(HostProcess.of(id, HostProcess.all())).isEmpty();
            assertThat(process.send(HostProcess.Signal.KILL)).isFalse();
            assertThat(process.stopped()).isFalse();
        } finally {
            shell.destroyForcibly();
        }
    }

    /** The system sends the signal before it is delivered. */
    private static void awaitStopped(HostProcess process, boolean stopped) throws Exception {
        long deadlineAtNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (process.stopped() != stopped && System.nanoTime() - deadlineAtNanos < 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertThat(process.stopped()).isEqualTo(stopped);
    }
}
