package io.talosgateway.rest.journal.read;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.read.TailCache.CachedPut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class TailCacheTest {

    private static final int COST = JournalFixture.batch("0123456789").bytes() + 256;

    @Test
    void oldestPutOfAnyPartitionGoesFirst() {
        TailCache cache = new TailCache(3L * COST);
        TailCache.Tail a = new TailCache.Tail();
        TailCache.Tail b = new TailCache.Tail();
        cache.add(a, put(0));
        cache.add(b, put(0));
        cache.add(b, put(1));
        cache.add(b, put(2));
        assertThat(read(a, 0)).isNull();
        assertThat(read(b, 0)).containsExactly(0L, 1L, 2L);
        assertThat(cache.bytes()).isEqualTo(3L * COST);
        cache.add(b, put(3));
        assertThat(read(b, 0)).isNull();
        assertThat(read(b, 1)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void clearedTailIsEmptyAndOutlivesItsEviction() {
        TailCache cache = new TailCache(2L * COST);
        TailCache.Tail a = new TailCache.Tail();
        cache.add(a, put(0));
        a.clear();
        assertThat(read(a, 0)).isNull();
        TailCache.Tail b = new TailCache.Tail();
        cache.add(b, put(0));
        cache.add(b, put(1));
        cache.add(b, put(2));
        assertThat(read(b, 1)).containsExactly(1L, 2L);
    }

    @Test
    void putThatIsNotAnnouncedYetIsNotRead() {
        TailCache cache = new TailCache(10L * COST);
        TailCache.Tail tail = new TailCache.Tail();
        cache.add(tail, put(0));
        cache.add(tail, put(1));
        cache.add(tail, put(2));

        assertThat(read(tail, 0, 2)).containsExactly(0L, 1L);
        assertThat(read(tail, 0, 3)).containsExactly(0L, 1L, 2L);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void whatIsCachedIsAlwaysTheTailWithoutAGap(long seed) {
        Random random = new Random(seed);
        TailCache cache = new TailCache(40L * COST);
        List<TailCache.Tail> tails = new ArrayList<>();
        long[] next = new long[6];
        for (int i = 0; i < next.length; i++) {
            tails.add(new TailCache.Tail());
        }
        for (int step = 0; step < 3000; step++) {
            int number = random.nextInt(next.length);
            cache.add(tails.get(number), put(next[number]++));
            assertThat(cache.bytes()).isLessThanOrEqualTo(40L * COST);
            int reader = random.nextInt(next.length);
            long from = Math.max(0, next[reader] - 1 - random.nextInt(20));
            List<Long> found = read(tails.get(reader), from);
            if (found != null && next[reader] > 0) {
                assertThat(found.get(0)).isEqualTo(from);
                assertThat(found.get(found.size() - 1)).isEqualTo(next[reader] - 1);
                assertThat(found).hasSize((int) (next[reader] - from));
            }
        }
    }

    private static CachedPut put(long offset) {
        return new CachedPut(offset, 1, JournalFixture.batch("0123456789"));
    }

    private static List<Long> read(TailCache.Tail tail, long offset) {
        return read(tail, offset, Long.MAX_VALUE);
    }

    private static List<Long> read(TailCache.Tail tail, long offset, long end) {
        ReadResult.Collector collector = new ReadResult.Collector(offset, 1000, Integer.MAX_VALUE);
        if (!tail.collect(collector, end)) {
            return null;
        }
        return collector.result().blocks().stream()
                .map(block -> block.startOffset())
                .toList();
    }
}
