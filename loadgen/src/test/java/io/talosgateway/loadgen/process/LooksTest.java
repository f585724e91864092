package io.talosgateway.loadgen.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LooksTest {

    @Test
    void busyIsWhatIsNeitherIdleNorWaitingForTheDisk() {
        MachineSnapshot before = MachineSnapshot.parse(List.of("cpu  100 0 50 800 50 0 0 0 7 7", "cpu0 1 2 3"));
        MachineSnapshot after = MachineSnapshot.parse(List.of("cpu  160 0 60 820 60 0 0 0 9 9"));

        assertThat(before).isEqualTo(new MachineSnapshot(1000, 850));
        assertThat(before.busyPercentUntil(after)).isEqualTo(70);
        assertThat(before.busyPercentUntil(before)).isNaN();
    }

    @Test
    void numbersOfAStatusAreFoundByTheirNames() {
        List<String> status = List.of("Name:\tjava", "VmRSS:\t   1234 kB", "Threads:\t17");

        assertThat(ProcessSnapshot.value(status, "VmRSS:")).isEqualTo(1234);
        assertThat(ProcessSnapshot.value(status, "Threads:")).isEqualTo(17);
        assertThat(ProcessSnapshot.value(status, "VmHWM:")).isZero();
    }

    @Test
    void processThatRunsHasThreadsThatAreSwitched() throws Exception {
        try (ChildProcess process = ChildProcess.start("cat", List.of("cat"), Map.of())) {
            ProcessSnapshot snapshot = ProcessSnapshot.at(process);
            assertThat(snapshot.threads()).isPositive();
            // It may not have run yet.
            while (snapshot.contextSwitches() == 0) {
                TimeUnit.MILLISECONDS.sleep(1);
                snapshot = ProcessSnapshot.at(process);
            }
        }
    }

    @Test
    void processThatHasEndedTakesNothingMore() throws Exception {
        ChildProcess process = ChildProcess.start("version", List.of(ChildProcess.java(), "-version"), Map.of());
        process.kill();

        assertThat(ProcessSnapshot.at(process).threads()).isZero();
        assertThat(ProcessSnapshot.at(process).contextSwitches()).isZero();
    }
}
