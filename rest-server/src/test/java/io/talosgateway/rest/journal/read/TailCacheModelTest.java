package io.talosgateway.rest.journal.read;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** {@link TailCache} against a list of the newest puts that have room together. */
final class TailCacheModelTest {

    private static final int PARTITIONS = 7;

    private record Put(int partition, long firstOffset, long timeMs, MessageBatch batch) {

        long length() {
            return TailRecord.length(batch);
        }
    }

    private final List<TailCache.Tail> tails = new ArrayList<>();
    private final long[] ends = new long[PARTITIONS];
    /** What is below was cleared. */
    private final long[] starts = new long[PARTITIONS];
    /** The newest puts, those included that were cleared. */
    private final ArrayDeque<Put> kept = new ArrayDeque<>();

    private long bytes;

    /** Puts of less than a slab and of several, in rings of less than a slab and of several, to their ends and over them. */
    @ParameterizedTest(name = "{0} bytes, blocks to {1} bytes, seed {2}")
    @CsvSource({
        "4_000, 60, 1",
        "4_000, 60, 2",
        "20_000, 5_000, 3",
        "300_000, 200, 4",
        "3_500_000, 400_000, 5",
        "3_500_001, 3_000, 6",
        "2_097_024, 1_300_000, 7",
    })
    void holdsTheNewestPutsThatHaveRoomAsTheyWere(String capacity, String largest, long seed) {
        Random random = new Random(seed);
        long room = Long.parseLong(capacity.replace("_", "")) / 8 * 8;
        int largestBlock = Integer.parseInt(largest.replace("_", ""));
        TailCache cache = new TailCache(Long.parseLong(capacity.replace("_", "")));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            tails.add(cache.newTail());
        }
        for (int step = 0; step < 1000; step++) {
            // Some have most of the puts.
            int partition = (int) Math.min(PARTITIONS - 1, Math.abs(random.nextGaussian()) * 2.5);
            if (random.nextInt(200) == 0) {
                cache.clear(tails.get(partition));
                starts[partition] = ends[partition];
            } else {
                Put put = new Put(partition, ends[partition], step, batch(random, largestBlock));
                cache.add(tails.get(partition), put.firstOffset, put.timeMs, put.batch);
                add(put, room);
            }
            assertThat(cache.bytes()).isEqualTo(bytes);
            read(random.nextInt(PARTITIONS), random);
        }
    }

    private void add(Put put, long room) {
        ends[put.partition] += put.batch.messageCount();
        if (put.length() > room) {
            starts[put.partition] = ends[put.partition];
            return;
        }
        while (bytes + put.length() > room) {
            bytes -= kept.removeFirst().length();
        }
        kept.addLast(put);
        bytes += put.length();
    }

    private void read(int partition, Random random) {
        long from = Math.max(0, ends[partition] + 2 - random.nextInt(60));
        long end = ends[partition] - random.nextInt(3);
        int maxMessages = 1 + random.nextInt(30);
        int maxBytes = 1 + random.nextInt(10_000);
        ReadResult.Collector collector = new ReadResult.Collector(from, maxMessages, maxBytes);
        List<StoredBlock> found = tails.get(partition).collect(collector, end)
                ? collector.result().blocks()
                : null;
        assertThat(found)
                .isEqualTo(expected(partition, from, end, new ReadResult.Collector(from, maxMessages, maxBytes)));
    }

    private @Nullable List<StoredBlock> expected(int partition, long from, long end, ReadResult.Collector collector) {
        List<Put> cached = kept.stream()
                .filter(put -> put.partition == partition && put.firstOffset >= starts[partition])
                .toList();
        if (cached.isEmpty() || from < cached.get(0).firstOffset || from >= ends[partition]) {
            return null;
        }
        for (Put put : cached) {
            if (put.firstOffset < end && put.firstOffset + put.batch.messageCount() > from) {
                long offset = put.firstOffset;
                for (MessageBlock block : put.batch.blocks()) {
                    collector.offer(new StoredBlock(offset, put.timeMs, block));
                    offset += block.messageNumber();
                }
            }
        }
        return collector.result().blocks();
    }

    private static MessageBatch batch(Random random, int largestBlock) {
        List<MessageBlock> blocks = new ArrayList<>();
        do {
            blocks.add(new MessageBlock(
                    1 + random.nextInt(4),
                    random.nextInt(5),
                    bytes(random, random.nextInt(largestBlock)),
                    random.nextLong(),
                    random.nextInt(4) > 0 ? ByteSlice.EMPTY : bytes(random, random.nextInt(20))));
        } while (random.nextInt(3) == 0);
        return new MessageBatch(blocks);
    }

    private static ByteSlice bytes(Random random, int length) {
        byte[] array = new byte[length + 5];
        random.nextBytes(array);
        return new ByteSlice(array, random.nextInt(5), length);
    }
}
