package io.talosgateway.rest.journal.read;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import javax.management.JMException;
import javax.management.ObjectName;

import com.google.common.base.Splitter;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TailCacheTest {

    private static final MessageBatch SMALL = JournalFixture.batch("0123456789");
    private static final long COST = TailRecord.length(SMALL);

    @Test
    void oldestPutOfAnyPartitionGoesFirst() {
        TailCache cache = new TailCache(4 * COST);
        TailCache.Tail a = cache.newTail();
        TailCache.Tail b = cache.newTail();
        cache.add(a, 0, 1, SMALL);
        cache.add(b, 0, 1, SMALL);
        cache.add(b, 1, 1, SMALL);
        cache.add(b, 2, 1, SMALL);
        assertThat(read(a, 0)).containsExactly(0L);
        assertThat(read(b, 0)).containsExactly(0L, 1L, 2L);
        cache.add(b, 3, 1, SMALL);
        assertThat(read(a, 0)).isNull();
        assertThat(read(b, 0)).containsExactly(0L, 1L, 2L, 3L);
        assertThat(cache.bytes()).isEqualTo(4 * COST);
        cache.add(a, 1, 1, SMALL);
        assertThat(read(b, 0)).isNull();
        assertThat(read(b, 1)).containsExactly(1L, 2L, 3L);
        assertThat(read(a, 0)).isNull();
        assertThat(read(a, 1)).containsExactly(1L);
    }

    @Test
    void clearedTailIsEmptyAndOutlivesItsEviction() {
        TailCache cache = new TailCache(3 * COST);
        TailCache.Tail a = cache.newTail();
        cache.add(a, 0, 1, SMALL);
        cache.clear(a);
        assertThat(read(a, 0)).isNull();
        TailCache.Tail b = cache.newTail();
        for (int offset = 0; offset < 4; offset++) {
            cache.add(b, offset, 1, SMALL);
        }
        assertThat(read(b, 1)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void putThatIsNotAnnouncedYetIsNotRead() {
        TailCache cache = new TailCache(10 * COST);
        TailCache.Tail tail = cache.newTail();
        for (int offset = 0; offset < 3; offset++) {
            cache.add(tail, offset, 1, SMALL);
        }

        assertThat(read(tail, 0, 2)).containsExactly(0L, 1L);
        assertThat(read(tail, 0, 3)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void putThatHasNoRoomLeavesNoGapBehindIt() {
        TailCache cache = new TailCache(3 * COST);
        TailCache.Tail a = cache.newTail();
        TailCache.Tail b = cache.newTail();
        cache.add(a, 0, 1, SMALL);
        cache.add(b, 0, 1, SMALL);
        cache.add(a, 1, 1, JournalFixture.batch("0".repeat((int) (3 * COST))));
        assertThat(read(a, 0)).isNull();
        assertThat(read(a, 1)).isNull();
        assertThat(read(b, 0)).containsExactly(0L);
        cache.add(a, 2, 1, SMALL);
        assertThat(read(a, 0)).isNull();
        assertThat(read(a, 2)).containsExactly(2L);
    }

    @Test
    void cacheWithoutRoomHoldsNothing() {
        TailCache cache = new TailCache(0);
        TailCache.Tail tail = cache.newTail();
        cache.add(tail, 0, 1, SMALL);
        assertThat(read(tail, 0)).isNull();
        assertThat(cache.bytes()).isZero();
    }

    /** Or every young collection would copy them: with an object for each put, there were seven of them. */
    @Test
    void noObjectIsKeptForAPut() throws Exception {
        int puts = 100_000;
        TailCache cache = new TailCache(puts * COST);
        List<TailCache.Tail> tails = new ArrayList<>();
        for (int number = 0; number < 10; number++) {
            tails.add(cache.newTail());
        }
        long before = objects();
        for (int put = 0; put < puts; put++) {
            cache.add(tails.get(put % 10), put / 10, 1, JournalFixture.batch("0123456789"));
        }
        assertThat(objects() - before).isLessThan(puts / 10);
        assertThat(read(tails.get(3), puts / 10 - 2)).containsExactly(puts / 10 - 2L, puts / 10 - 1L);
    }

    /** What the heap holds after a collection. */
    private static long objects() throws JMException {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        String total = histogram.lines().reduce("", (first, second) -> second);
        return Long.parseLong(
                Splitter.onPattern(" +").splitToList(total.strip()).get(1));
    }

    private static @Nullable List<Long> read(TailCache.Tail tail, long offset) {
        return read(tail, offset, Long.MAX_VALUE);
    }

    private static @Nullable List<Long> read(TailCache.Tail tail, long offset, long end) {
        ReadResult.Collector collector = new ReadResult.Collector(offset, 1000, Integer.MAX_VALUE);
        if (!tail.collect(collector, end)) {
            return null;
        }
        return collector.result().blocks().stream()
                .map(StoredBlock::startOffset)
                .toList();
    }
}
