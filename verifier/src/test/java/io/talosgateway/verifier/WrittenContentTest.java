package io.talosgateway.verifier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The bytes of messages, and what is read from them. */
final class WrittenContentTest {

    private static final MessageId ID = MessageId.of(3, 123_456, 2);

    private final WrittenContent content = new WrittenContent(42, 1_000);

    @Test
    void messageIsRecognised() {
        assertThat(content.read(content.bytes(ID, 5))).isEqualTo(ID);
        assertThat(content.bytes(ID, 5)).isEqualTo(new WrittenContent(42, 1_000).bytes(ID, 5));
    }

    @Test
    void everyByteCounts() {
        byte[] bytes = content.bytes(ID, 5);
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] ^= 1;
            assertThat(content.read(bytes)).as("byte %d", index).isNotEqualTo(ID);
            bytes[index] ^= 1;
        }
    }

    @Test
    void changedFillerIsTold() {
        byte[] bytes = content.bytes(ID, 5);
        bytes[bytes.length - 1] ^= 1;

        assertThat(content.read(bytes)).isEqualTo(ID.changed());
    }

    @Test
    void messagesOfOthersAreTold() {
        byte[] ofAnotherRun = new WrittenContent(43, 1_000).bytes(ID, 5);

        assertThat(content.read(ofAnotherRun).isForeign()).isTrue();
        assertThat(content.read(new byte[0]).isForeign()).isTrue();
        assertThat(content.read(new byte[5])).isNotEqualTo(content.read(new byte[6]));
    }

    @Test
    void messagesHaveManySizes() {
        for (int number = 0; number < 1_000; number++) {
            assertThat(content.bytes(MessageId.of(0, number, 0), 1)).hasSizeBetween(WrittenContent.HEADER_BYTES, 1_000);
        }
        assertThat(new WrittenContent(1, WrittenContent.HEADER_BYTES).bytes(ID, 5))
                .hasSize(WrittenContent.HEADER_BYTES);
    }

    @Test
    void idFitsIntoAWord() {
        for (MessageId id : new MessageId[] {
            MessageId.of(0, 0, 0),
            ID,
            MessageId.of(MessageId.MAX_WRITERS - 2, Integer.MAX_VALUE, MessageId.MAX_INDEX - 1)
        }) {
            MessageId changed = id.changed();
            assertThat(id.word()).isNotZero();
            assertThat(id.isForeign() || id.isChanged() || changed.isForeign()).isFalse();
            assertThat(changed.isChanged()).isTrue();
            assertThat(changed.original()).isEqualTo(id).isNotEqualTo(changed);
            assertThat(MessageId.of(changed.writer(), changed.number(), changed.index()))
                    .isEqualTo(id);
        }
        MessageId largest = MessageId.of(MessageId.MAX_WRITERS - 2, Integer.MAX_VALUE, MessageId.MAX_INDEX - 1);
        assertThat(largest).hasToString("message 4095 of put 2147483647 of writer 16382");
        for (int hash : new int[] {0, -1, 1 << 30}) {
            assertThat(MessageId.foreign(hash).isForeign()).isTrue();
            assertThat(MessageId.foreign(hash).isChanged()).isFalse();
        }
        assertThat(MessageId.foreign(0)).isNotEqualTo(MessageId.foreign(-1));
    }
}
