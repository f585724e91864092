package io.talosgateway.loadgen.experiment;

import io.talosgateway.loadgen.plan.Warmup;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ExperimentTest {

    private static TrialSettings settings(StorageKind storage, int dataNodes, Timing timing) {
        return new TrialSettings(Scale.QUICK, storage, timing, dataNodes, 1);
    }

    @Test
    void costIsThatOfAllTrialsAndTheDiskThatOfOne() {
        assertThat(Samples.experiment().cost(settings(StorageKind.HDFS, 3, Samples.TIMING)))
                .isEqualTo(
                        "2 runs in each of 3 rounds, with 2 s of warm-up and 8 s that count: about 2 min, and 12 GiB of "
                                + "disk");
        assertThat(Samples.experiment().cost(settings(StorageKind.FILE, 3, Samples.TIMING)))
                .endsWith("and 4 GiB of disk");
    }

    @Test
    void warmUpWithoutATimeIsSaidAndEstimated() {
        Timing timing = new Timing(3, Warmup.AUTO, Samples.TIMING.duration());

        assertThat(Samples.experiment().cost(settings(StorageKind.FILE, 1, timing)))
                .contains("with a warm-up until the rate stops rising (60 s at most) and 8 s that count: about 4 min");
    }

    @Test
    void kitIsNeededForHdfsOnly() {
        assertThat(Samples.experiment().needsKit(settings(StorageKind.HDFS, 1, Samples.TIMING)))
                .isTrue();
        assertThat(Samples.experiment().needsKit(settings(StorageKind.FILE, 1, Samples.TIMING)))
                .isFalse();
    }
}
