package io.talosgateway.loadgen.experiment.engine;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TrialComparisonTest {

    private static TrialSettings settings(StorageKind storage, int dataNodes) {
        return new TrialSettings(Scale.QUICK, storage, Timing.of(3, 2, 8), dataNodes, 1);
    }

    @Test
    void costIsThatOfAllTrialsAndTheDiskThatOfOne() {
        assertThat(new SampleComparison().cost(settings(StorageKind.HDFS, 3)))
                .isEqualTo(
                        "2 runs in each of 3 rounds, with 2 s of warm-up and 8 s that count: about 2 min, and 12 GiB of "
                                + "disk");
        assertThat(new SampleComparison().cost(settings(StorageKind.FILE, 3))).endsWith("and 4 GiB of disk");
    }

    @Test
    void kitIsNeededForHdfsOnly() {
        assertThat(new SampleComparison().needsKit(settings(StorageKind.HDFS, 1)))
                .isTrue();
        assertThat(new SampleComparison().needsKit(settings(StorageKind.FILE, 1)))
                .isFalse();
    }
}
