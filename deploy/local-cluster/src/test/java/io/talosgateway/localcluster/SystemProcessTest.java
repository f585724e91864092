package io.talosgateway.localcluster;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SystemProcessTest {

    private static final String ID = "0123456789abcdef";

    private static SystemProcess java(long pid, String... words) {
        return SystemProcess.ofProc(pid, pid + " (java) S 1 1 1", "java\0" + String.join("\0", words) + "\0");
    }

    @Test
    void linuxTellsWordsWithBlanksInThem() {
        SystemProcess process = SystemProcess.ofProc(7, "7 (java) S 1 7 7 0", "java\0-cp\0/my folder/lib/*\0Main\0");

        assertThat(process)
                .isEqualTo(new SystemProcess(7, 1, false, List.of("java", "-cp", "/my folder/lib/*", "Main")));
    }

    @Test
    void stoppedProcessIsSeenWhateverItsName() {
        assertThat(SystemProcess.ofProc(7, "7 (a) S (b) T 1 7 7 0", "x\0").stopped())
                .isTrue();
        assertThat(SystemProcess.ofProc(7, "7 (a) T (b) S 1 7 7 0", "x\0").stopped())
                .isFalse();
    }

    @Test
    void otherSystemsTellByPs() {
        assertThat(SystemProcess.ofPs("  812   17 Ts   /usr/bin/java -Xmx1g Main"))
                .isEqualTo(new SystemProcess(812, 17, true, List.of("/usr/bin/java", "-Xmx1g", "Main")));
    }

    @Test
    void hostsOfAClusterAreThoseWithItsMark() {
        SystemProcess gateway = java(10, "-Xmx1g", ProcessTable.mark(ID, "gateway-1"), "Main");
        SystemProcess dataNode = java(11, ProcessTable.mark(ID, "datanode-1"), "Main");
        SystemProcess ofAnotherCluster = java(12, ProcessTable.mark("fedcba9876543210", "gateway-1"), "Main");
        SystemProcess stranger = java(13, "Main", "gateway-1", ID);

        assertThat(ProcessTable.hostsOf(ID, List.of(gateway, dataNode, ofAnotherCluster, stranger)))
                .isEqualTo(Map.of("gateway-1", gateway, "datanode-1", dataNode));
    }

    @Test
    void processThatHasEndedAndIsNotWaitedForIsNoHost() {
        SystemProcess ended = SystemProcess.ofProc(10, "10 (java) Z 1 10 10 0", "");

        assertThat(ProcessTable.hostsOf(ID, List.of(ended))).isEmpty();
    }

    @Test
    void programThatAHostIsAboutToStartIsNoHost() {
        String mark = ProcessTable.mark(ID, "datanode-1");
        SystemProcess host = new SystemProcess(20, 1, false, List.of("java", mark));
        SystemProcess started = new SystemProcess(19, 20, false, List.of("java", mark));

        assertThat(ProcessTable.hostsOf(ID, List.of(host, started))).isEqualTo(Map.of("datanode-1", host));
        assertThat(ProcessTable.hostsOf(ID, List.of(started, host))).isEqualTo(Map.of("datanode-1", host));
    }

    @Test
    void ourOwnProcessIsInTheTable() throws Exception {
        assertThat(ProcessTable.read())
                .anyMatch(process -> process.pid() == ProcessHandle.current().pid()
                        && !process.stopped()
                        && process.words().get(0).contains("java"));
    }
}
