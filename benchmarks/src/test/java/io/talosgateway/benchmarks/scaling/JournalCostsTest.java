package io.talosgateway.benchmarks.scaling;

import java.util.Map;

import com.google.common.collect.Maps;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class JournalCostsTest {

    /** As TakeOverCostTest finds it, but for a file in each lane that is in no index file. */
    @Test
    void smallJournalsTellWhatLargerOnesCost() throws Exception {
        JournalCosts costs = JournalCosts.count();

        long indexFiles = 6;
        long loose = 4;
        long lanes = 2;
        assertThat(costs.first().calls(indexFiles, loose, lanes))
                .isEqualTo(Map.of(
                        "exists",
                        1L,
                        "delete",
                        1L,
                        "list",
                        1L,
                        "fence",
                        loose + lanes,
                        // The manifest; heads, and later rows; footers; what was open, twice; what was indexed with it.
                        "open",
                        1 + 2 * indexFiles + loose + 2 * lanes + lanes,
                        "force",
                        lanes,
                        // Footers, index files, the manifest.
                        "createWhole",
                        2 * lanes + 1));
        assertThat(costs.later().calls(indexFiles, loose, lanes))
                .isEqualTo(Map.of("exists", 1L, "open", 1 + indexFiles + lanes));
    }

    /** A journal of three lanes costs what the smaller ones tell. */
    @Test
    void largerJournalCostsWhatWasWorkedOut() throws Exception {
        JournalCosts costs = JournalCosts.count();

        // Of each lane two index files, and a file that is in none.
        JournalProbe.Calls larger = JournalProbe.count(3, 2 * JournalProbe.INDEXED_FILES + 1);

        assertThat(costs.first().calls(6, 3, 3)).isEqualTo(asLongs(larger.first()));
        assertThat(costs.later().calls(6, 3, 3)).isEqualTo(asLongs(larger.later()));
    }

    private static Map<String, Long> asLongs(Map<String, Integer> calls) {
        return Maps.transformValues(calls, Integer::longValue);
    }

    @Test
    void indexFilesOfALaneAreThoseThatItsWriterMakes() throws Exception {
        // Of each level as many as there may be, and a loose file.
        int first = JournalProbe.INDEXED_FILES;
        int files = first * (64 + 7 * 8 + 7) + first - 1;

        LaneIndex worst = LaneIndex.most(files, first, 1);

        assertThat(worst).isEqualTo(new LaneIndex(1 + 7 + 7, first - 1));
        assertThat(JournalProbe.countIndexFiles(files)).isEqualTo(15);
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
