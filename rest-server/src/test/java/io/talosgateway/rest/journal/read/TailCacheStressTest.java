package io.talosgateway.rest.journal.read;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class TailCacheStressTest {

    private static final int WRITERS = 2;
    private static final int READERS = 3;
    private static final int PARTITIONS = 4;
    private static final int PUTS = 30_000;

    /** So few that puts go while they are read. */
    private final TailCache cache = new TailCache(16 * 1024);

    private final List<TailCache.Tail> tails = new ArrayList<>();
    private final AtomicLongArray durable = new AtomicLongArray(WRITERS * PARTITIONS);
    private final AtomicInteger writing = new AtomicInteger(WRITERS);

    @Test
    void readersGetPutsAsTheyWereOrNoneWhileOthersTakeTheirRoom() throws Exception {
        for (int partition = 0; partition < WRITERS * PARTITIONS; partition++) {
            tails.add(cache.newTail());
        }
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int firstPartition = writer * PARTITIONS;
                ends.add(threads.submit(() -> write(firstPartition)));
            }
            for (int reader = 0; reader < READERS; reader++) {
                long seed = reader;
                ends.add(threads.submit(() -> read(new Random(seed))));
            }
            for (Future<?> end : ends) {
                end.get(120, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void write(int firstPartition) {
        try {
            Random random = new Random(firstPartition);
            for (int put = 0; put < PUTS; put++) {
                int partition = firstPartition + random.nextInt(PARTITIONS);
                if (random.nextInt(500) == 0) {
                    cache.clear(tails.get(partition));
                }
                long offset = durable.get(partition);
                MessageBatch batch = new MessageBatch(List.of(block(partition, offset), block(partition, offset + 1)));
                cache.add(tails.get(partition), offset, offset, batch);
                durable.set(partition, offset + 2);
            }
        } finally {
            writing.decrementAndGet();
        }
    }

    private void read(Random random) {
        int found = 0;
        while (writing.get() > 0 || found == 0) {
            int partition = random.nextInt(tails.size());
            long end = durable.get(partition);
            // Most of them are near those that go next.
            long from = Math.max(0, end - random.nextInt(40));
            ReadResult.Collector collector = new ReadResult.Collector(from, 1000, 1 << 20);
            if (!tails.get(partition).collect(collector, end)) {
                continue;
            }
            long next = from;
            for (StoredBlock block : collector.result().blocks()) {
                assertThat(block.startOffset()).isEqualTo(next);
                assertThat(block.appendTimestampMs()).isEqualTo(next / 2 * 2);
                assertThat(block.block()).isEqualTo(block(partition, next));
                next++;
                found++;
            }
        }
    }

    /** What a partition has at an offset; no other one has the same. */
    private static MessageBlock block(int partition, long offset) {
        byte[] bytes = new byte[8 + (int) (offset * 37 % 150)];
        Arrays.fill(bytes, (byte) (offset * 13 + partition));
        return new MessageBlock(1, partition, new ByteSlice(bytes), offset, ByteSlice.EMPTY);
    }
}
