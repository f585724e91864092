package io.talosgateway.verifier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The bytes of messages, and what is read from them. */
final class WrittenContentTest {

    private static final MessageId ID = new MessageId(3, 123_456, 2);

    private final WrittenContent content = new WrittenContent(42, 1_000);

    @Test
    void messageIsRecognised() {
        assertThat(content.read(content.bytes(ID, 5))).isEqualTo(ObservedMessage.of(ID));
        assertThat(content.bytes(ID, 5)).isEqualTo(new WrittenContent(42, 1_000).bytes(ID, 5));
    }

    @Test
    void everyByteCounts() {
        byte[] bytes = content.bytes(ID, 5);
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] ^= 1;
            assertThat(content.read(bytes)).as("byte %d", index).isNotEqualTo(ObservedMessage.of(ID));
            bytes[index] ^= 1;
        }
    }

    @Test
    void changedFillerIsTold() {
        byte[] bytes = content.bytes(ID, 5);
        bytes[bytes.length - 1] ^= 1;

        assertThat(content.read(bytes)).isEqualTo(ObservedMessage.changed(ID));
    }

    @Test
    void messagesOfOthersAreTold() {
        byte[] ofAnotherRun = new WrittenContent(43, 1_000).bytes(ID, 5);

        assertThat(content.read(ofAnotherRun).message()).isNull();
        assertThat(content.read(new byte[0]).message()).isNull();
        assertThat(content.read(new byte[5])).isNotEqualTo(content.read(new byte[6]));
    }

    @Test
    void messagesHaveManySizes() {
        for (int number = 0; number < 1_000; number++) {
            assertThat(content.bytes(new MessageId(0, number, 0), 1))
                    .hasSizeBetween(WrittenContent.HEADER_BYTES, 1_000);
        }
        assertThat(new WrittenContent(1, WrittenContent.HEADER_BYTES).bytes(ID, 5))
                .hasSize(WrittenContent.HEADER_BYTES);
    }

    @Test
    void foundFitsIntoAWord() {
        MessageId largest = new MessageId(MessageId.MAX_WRITERS - 2, Integer.MAX_VALUE, MessageId.MAX_INDEX - 1);
        for (ObservedMessage found : new ObservedMessage[] {
            ObservedMessage.of(new MessageId(0, 0, 0)),
            ObservedMessage.of(ID),
            ObservedMessage.of(largest),
            ObservedMessage.changed(largest),
            ObservedMessage.foreign(0),
            ObservedMessage.foreign(-1)
        }) {
            assertThat(ObservedMessage.unpack(found.pack())).isEqualTo(found);
        }
        assertThat(ObservedMessage.unpack(ObservedMessage.NOTHING)).isNull();
    }
}
