package io.talosgateway.benchmarks.scaling;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

final class TakeOverRunTest {

    private static Costs costs(double nameNodeReads, double fenceMs) {
        return CommandLine.populateCommand(
                new Costs(),
                "--zookeeper-writes=1e9",
                "--namenode-reads=" + nameNodeReads,
                "--namenode-writes=1e9",
                "--network-mb=1000",
                "--footer-ms=2",
                "--fence-ms=" + fenceMs,
                "--create-ms=0",
                "--scan-mb=1e6");
    }

    private static LostJournal journal(double indexBytes) {
        return new LostJournal(2500, 1, 99, 0, 0, 0, indexBytes, 0, 0, 0);
    }

    private static TakeOverRun run(LostJournal journal, Costs costs) {
        return new TakeOverRun(costs, journal);
    }

    @Test
    void oneHostRecoversAndTheOthersWaitASecondAtATime() {
        TakeOverRun.Result result = run(journal(0), costs(1e9, 1000)).run(1, 10);

        assertThat(result.recoveries()).isEqualTo(1);
        // The first reads each of 99 index files twice, and two more pages of the list; each of the others asks twice
        // whether that
        // is done, and reads 100.
        assertThat(result.nameNode().reads()).isEqualTo(4 + 2 * 99 + 7 + 2 + 9 * (2 + 2 + 100));
        // A fence and the heads; two polls, and 100 index files of 2 ms, 8 at a time.
        assertThat(result.lastMs()).isCloseTo(2_000 + 26, within(1.0));
    }

    @Test
    void whoHasWaitedTooLongRecoversAsWell() {
        assertThat(run(journal(0), costs(1e9, 21_000)).run(1, 10).recoveries()).isEqualTo(10);
    }

    @Test
    void nameNodeIsTheLimitWhenManyHostsAsk() {
        TakeOverRun.Result result = run(journal(0), costs(1_000, 1000)).run(5, 100);

        assertThat(result.nameNode().reads()).isGreaterThan(5 * 100 * 100);
        assertThat(result.lastMs()).isGreaterThan(50_000);
    }

    @Test
    void dataNodesAreTheLimitWhenManyHostsReadTheSameBytes() {
        double secondsOfOneHost = 1;

        TakeOverRun.Result result =
                run(journal(secondsOfOneHost * 1e9), costs(1e9, 1000)).run(1, 100);

        // Fenced, read by the first host, and found by the third poll; then by 99, eight files at a time with three
        // replicas.
        assertThat(result.lastMs()).isCloseTo(3_000 + 99 * 1000.0 / 24, within(1.0));
    }
}
