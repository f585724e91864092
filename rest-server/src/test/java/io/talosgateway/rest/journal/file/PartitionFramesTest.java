package io.talosgateway.rest.journal.file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.talosgateway.rest.journal.file.PartitionFrames.LocatedFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class PartitionFramesTest {

    private static final long FIRST_TIME_MS = 1_700_000_000_000L;

    /** What a test adds. */
    private record Added(int position, long firstOffset, int messages, long timeMs) {}

    /** Around the number of frames between two checkpoints, and more than fit into the first buffer. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 65, 128, 129, 1000})
    void framesAreFoundByOffsetAndByTime(int count) {
        List<Added> added = random(new Random(count), count);
        PartitionFrames frames = of(added);

        assertThat(frames.size()).isEqualTo(count);
        long end = added.get(count - 1).firstOffset + added.get(count - 1).messages;
        assertThat(frames.endOffset()).isEqualTo(end);
        List<LocatedFrame> all = all(frames);
        assertThat(all).hasSize(count);
        for (int number = 0; number < count; number++) {
            Added expected = added.get(number);
            LocatedFrame frame = all.get(number);
            assertThat(frame.position()).isEqualTo(expected.position);
            assertThat(frame.firstOffset()).isEqualTo(expected.firstOffset);
            assertThat(frame.timeMs()).isEqualTo(expected.timeMs);

            LocatedFrame before = number == 0 ? null : all.get(number - 1);
            LocatedFrame after = number == count - 1 ? null : all.get(number + 1);
            assertThat(frames.frameWith(expected.firstOffset)).isEqualTo(frame);
            assertThat(frames.frameWith(expected.firstOffset + expected.messages - 1))
                    .isEqualTo(frame);
            assertThat(frames.frameWith(expected.firstOffset - 1)).isEqualTo(before);
            assertThat(frames.frameAfter(expected.firstOffset)).isEqualTo(after);
            assertThat(frames.frameAfter(expected.firstOffset - 1)).isEqualTo(frame);
            assertThat(frames.firstOffsetAtOrAfter(expected.timeMs)).isEqualTo(firstAtOrAfter(added, expected.timeMs));
            assertThat(frames.firstOffsetAtOrAfter(expected.timeMs + 1))
                    .isEqualTo(firstAtOrAfter(added, expected.timeMs + 1));
        }
        assertThat(frames.firstOffsetAtOrAfter(Long.MAX_VALUE)).isEqualTo(end);
    }

    /** A reader has the last frame, and more are added. */
    @Test
    void whatFollowsTheFrameThatWasTheLastIsFound() {
        List<Added> added = random(new Random(7), 300);
        PartitionFrames frames = of(added.subList(0, 1));
        for (int number = 1; number < added.size(); number++) {
            LocatedFrame last = frames.frameWith(Long.MAX_VALUE);
            assertThat(last).isNotNull();
            assertThat(frames.after(last)).isNull();
            add(frames, added.get(number));
            assertThat(frames.after(last)).isEqualTo(frames.frameWith(Long.MAX_VALUE));
        }
    }

    /** The committer shows the index of a partition before it adds the first frame. */
    @Test
    void nothingIsFoundWhereNoFrameIsYet() {
        PartitionFrames frames = new PartitionFrames(17, FIRST_TIME_MS);
        assertThat(frames.frameWith(17)).isNull();
        assertThat(frames.frameAfter(16)).isNull();
        assertThat(frames.firstOffsetAtOrAfter(FIRST_TIME_MS)).isEqualTo(17);
    }

    /** The format of files that other versions read: position, messages with those that are lost behind them, time. */
    @Test
    void encodedFormIsTheOneOfFooters() {
        PartitionFrames frames = new PartitionFrames(1000, FIRST_TIME_MS);
        frames.add(200, 1000, 3, FIRST_TIME_MS, 1);
        frames.add(500, 1005, 1, FIRST_TIME_MS + 40, 1);
        frames.add(501, 1006, Integer.MAX_VALUE, FIRST_TIME_MS + 40, 1);

        ByteBuffer section = ByteBuffer.wrap(frames.encode());
        List<Long> numbers = new ArrayList<>();
        while (section.hasRemaining()) {
            numbers.add(Varint.getUnsigned(section));
        }
        assertThat(numbers).containsExactly(200L, 5L, 0L, 300L, 1L, 40L, 1L, (long) Integer.MAX_VALUE, 0L);
    }

    private static List<Added> random(Random random, int count) {
        List<Added> added = new ArrayList<>();
        int position = 200;
        long offset = 5_000_000_000L;
        long timeMs = FIRST_TIME_MS;
        for (int number = 0; number < count; number++) {
            int lost = number > 0 && random.nextInt(10) == 0 ? 1 + random.nextInt(1000) : 0;
            int messages = 1 + random.nextInt(random.nextBoolean() ? 1 : 300);
            // Messages before it are in no frame.
            offset += lost;
            added.add(new Added(position, offset, messages, timeMs));
            offset += messages;
            position += 100 + random.nextInt(100_000);
            timeMs += random.nextInt(3) == 0 ? random.nextInt(2000) : 0;
        }
        return added;
    }

    private static PartitionFrames of(List<Added> added) {
        PartitionFrames frames = new PartitionFrames(added.get(0).firstOffset, added.get(0).timeMs);
        added.forEach(one -> add(frames, one));
        return frames;
    }

    private static void add(PartitionFrames frames, Added one) {
        frames.add(one.position, one.firstOffset, one.messages, one.timeMs, 1);
    }

    private static long firstAtOrAfter(List<Added> added, long timeMs) {
        Added last = added.get(added.size() - 1);
        return added.stream()
                .filter(one -> one.timeMs >= timeMs)
                .mapToLong(one -> one.firstOffset)
                .findFirst()
                .orElse(last.firstOffset + last.messages);
    }

    static List<LocatedFrame> all(PartitionFrames frames) {
        List<LocatedFrame> all = new ArrayList<>();
        LocatedFrame frame = frames.frameAfter(-1);
        while (frame != null) {
            all.add(frame);
            frame = frames.after(frame);
        }
        return all;
    }
}
