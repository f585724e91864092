package io.talosgateway.benchmarks.scaling;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LaneIndexTest {

    @Test
    void ofEachLevelThereAreAllButOneThatWouldBePutTogether() {
        int first = 2;
        int files = first * (64 + 7 * 8 + 7) + first - 1;

        assertThat(LaneIndex.most(files, first, 1)).isEqualTo(new LaneIndex(1 + 7 + 7, first - 1));
    }

    @Test
    void largeIndexFilesAreNotPutTogether() {
        // 512 files of 2,048 partitions have as many rows as are put together; 4,096 files would have more.
        assertThat(LaneIndex.most(33_346, 64, 2048)).isEqualTo(new LaneIndex(7 + 33_346 / 512, 63));
    }

    @Test
    void shortLaneHasNoIndexFile() {
        assertThat(LaneIndex.most(24, 64, 250)).isEqualTo(new LaneIndex(0, 24));
    }
}
