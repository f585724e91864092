package io.talosgateway.wire.message.format;

import java.util.List;
import java.util.Random;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class BlockAroundTest {

    /** In an array of which nothing is 0, at its own place. */
    private static ByteSlice payload(Random random, int length, int before, int behind) {
        byte[] array = new byte[before + length + behind];
        random.nextBytes(array);
        return new ByteSlice(array, before, length);
    }

    private static Message message(
            @Nullable String key, ByteSlice payload, @Nullable Integer type, @Nullable ValueForm form) {
        return new Message(key, null, payload, null, null, type, null, null, form);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100, 127, 128, 10_240, 16_383, 16_384, 2_097_151, 2_097_152})
    void blockIsThatOfTheEncoder(int length) {
        Random random = new Random(length);
        for (@Nullable String key : new String[] {null, "k", "0123456789", "ключ", "k".repeat(40)}) {
            for (@Nullable ValueForm form : new ValueForm[] {null, ValueForm.TEXT, ValueForm.BYTES}) {
                for (@Nullable Integer type : new Integer[] {null, Message.BINARY, Message.UTF8}) {
                    ByteSlice payload = payload(random, length, BlockAround.ROOM_BEFORE, BlockAround.ROOM_BEHIND);
                    Message message = message(key, payload, type, form);
                    MessageBlock expected = MessageEncoder.encode(
                            List.of(message(key, new ByteSlice(payload.toByteArray()), type, form)),
                            MessageVersion.V3,
                            Compression.NONE);
                    MessageBlock block = BlockAround.of(message);
                    assertThat(block).isEqualTo(expected);
                    assertThat(block.data().array()).isSameAs(payload.array());
                }
            }
        }
    }

    @Test
    void messageWithoutRoomOrWithOtherFieldsIsLeftAsItIs() {
        Random random = new Random(1);
        ByteSlice payload = payload(random, 10, BlockAround.ROOM_BEFORE, BlockAround.ROOM_BEHIND);
        byte[] before = payload.array().clone();
        assertThat(BlockAround.of(message("k".repeat(60), payload, null, null))).isNull();
        assertThat(BlockAround.of(message(null, payload, 77, null))).isNull();
        assertThat(BlockAround.of(new Message(null, "s", payload, null, null, null, null, null)))
                .isNull();
        assertThat(BlockAround.of(new Message(null, null, payload, 1L, null, null, null, null)))
                .isNull();
        assertThat(BlockAround.of(new Message(null, null, payload, null, 1L, null, null, null)))
                .isNull();
        assertThat(BlockAround.of(new Message(null, null, payload, null, null, null, "f", null)))
                .isNull();
        assertThat(BlockAround.of(new Message(null, null, payload, null, null, null, null, "t")))
                .isNull();
        assertThat(payload.array()).isEqualTo(before);

        assertThat(BlockAround.of(message(null, payload(random, 10, 9, BlockAround.ROOM_BEHIND), null, null)))
                .isNull();
        assertThat(BlockAround.of(message(null, payload(random, 10, 10, BlockAround.ROOM_BEHIND), null, null)))
                .isNotNull();
        assertThat(BlockAround.of(message(null, payload(random, 10, 10, 3), null, null)))
                .isNull();
    }
}
