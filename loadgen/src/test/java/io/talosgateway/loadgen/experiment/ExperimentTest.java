package io.talosgateway.loadgen.experiment;

import io.talosgateway.loadgen.plan.Warmup;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ExperimentTest {

    private static TrialSettings settings(StorageKind storage, int dataNodes, Warmup warmup) {
        return Samples.settings(Scale.QUICK, storage, dataNodes, warmup);
    }

    @Test
    void costIsThatOfAllTrials() {
        assertThat(Samples.experiment().cost(settings(StorageKind.HDFS, 3, Samples.WARMUP)))
                .isEqualTo("2 runs in each of 3 rounds, with 2 s of warm-up and 8 s that count: about 2 min");
    }

    @Test
    void warmUpWithoutATimeIsSaidAndEstimated() {
        assertThat(Samples.experiment().cost(settings(StorageKind.FILE, 1, Warmup.AUTO)))
                .contains("with a warm-up until the rate stops rising (60 s at most) and 8 s that count: about 4 min");
    }

    @Test
    void kitIsNeededForHdfsOnly() {
        assertThat(Samples.experiment().needsKit(settings(StorageKind.HDFS, 1, Samples.WARMUP)))
                .isTrue();
        assertThat(Samples.experiment().needsKit(settings(StorageKind.FILE, 1, Samples.WARMUP)))
                .isFalse();
    }

    @Test
    void programWithoutStorageNeedsNoDisk() {
        TrialSettings usual = Experiments.usual("ideal", Scale.QUICK);
        Server floor = Experiments.read("ideal", usual).trials().get(0).server();

        assertThat(floor.isOfKit()).isTrue();
        assertThat(floor.stores()).isFalse();
    }
}
