package io.talosgateway.rest.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.atomic.AtomicLong;

import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class AnswerPiecesTest {

    private static final int[] LENGTHS = {0, 1, 57, 10_240, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, 700_000};

    private final AtomicLong memory = new AtomicLong();
    private final BlockingDeque<byte[]> free = new LinkedBlockingDeque<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void thePiecesAreTheBody(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 20; round++) {
            List<ByteSlice> parts = new ArrayList<>();
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            for (int part = random.nextInt(8); part > 0; part--) {
                ByteSlice bytes = bytes(random, LENGTHS[random.nextInt(LENGTHS.length)]);
                parts.add(bytes);
                expected.writeBytes(bytes.toByteArray());
            }
            AnswerPieces pieces = new AnswerPieces(parts, memory::addAndGet, free);
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            do {
                ByteBuffer piece = pieces.next();
                assertThat(piece.remaining()).isLessThanOrEqualTo(AnswerPieces.MAX_PIECE_BYTES);
                if (!pieces.isAtEnd()) {
                    assertThat(piece.remaining())
                            .as("a piece that others follow")
                            .isGreaterThanOrEqualTo(AnswerPieces.GATHERED_BYTES);
                }
                written.writeBytes(copy(piece));
                pieces.written();
            } while (!pieces.isAtEnd());

            assertThat(written.toByteArray())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(expected.toByteArray());
            assertThat(memory).hasValue(0);
        }
    }

    @Test
    void partsThatFitTogetherAreOnePieceWhoseMemoryIsCounted() {
        Random random = new Random(1);
        AnswerPieces pieces = new AnswerPieces(
                List.of(bytes(random, 60), bytes(random, 10_240), bytes(random, 20), bytes(random, 10_240)),
                memory::addAndGet,
                free);

        assertThat(pieces.next().remaining()).isEqualTo(20_560);
        assertThat(pieces.isAtEnd()).isTrue();
        assertThat(memory).hasValue(AnswerPieces.GATHERED_BYTES);
    }

    @Test
    void whatIsAloneIsNotCopied() {
        Random random = new Random(1);
        ByteSlice large = bytes(random, AnswerPieces.GATHERED_BYTES);
        ByteSlice last = bytes(random, 1000);
        AnswerPieces pieces = new AnswerPieces(List.of(large, last), memory::addAndGet, free);

        assertThat(pieces.next().array()).isSameAs(large.array());
        assertThat(pieces.next().array()).isSameAs(last.array());
        assertThat(memory).hasValue(0);
    }

    @Test
    void anArrayIsUsedAgainUnlessItsPieceFailed() {
        AnswerPieces written = two();
        byte[] array = written.next().array();
        written.written();
        AnswerPieces failed = two();
        assertThat(failed.next().array()).isSameAs(array);
        byte[] sent = Arrays.copyOf(array, array.length);
        failed.failed();

        assertThat(two().next().array()).isNotSameAs(array);
        assertThat(array).isEqualTo(sent);
    }

    private AnswerPieces two() {
        Random random = new Random(1);
        return new AnswerPieces(List.of(bytes(random, 100), bytes(random, 100)), memory::addAndGet, free);
    }

    /** In an array of which it is a part. */
    private static ByteSlice bytes(Random random, int length) {
        byte[] array = new byte[length + 7];
        random.nextBytes(array);
        return new ByteSlice(array, 3, length);
    }

    private static byte[] copy(ByteBuffer piece) {
        byte[] copied = new byte[piece.remaining()];
        piece.duplicate().get(copied);
        return copied;
    }
}
