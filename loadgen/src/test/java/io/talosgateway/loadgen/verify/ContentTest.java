package io.talosgateway.loadgen.verify;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The bytes of messages, and what is read from them. */
final class ContentTest {

    private static final MessageId ID = new MessageId(3, 123_456, 2);

    private final Content content = new Content(42, 1_000);

    @Test
    void messageIsRecognised() {
        assertThat(content.read(content.bytes(ID, 5))).isEqualTo(Found.of(ID));
        assertThat(content.bytes(ID, 5)).isEqualTo(new Content(42, 1_000).bytes(ID, 5));
    }

    @Test
    void everyByteCounts() {
        byte[] bytes = content.bytes(ID, 5);
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] ^= 1;
            assertThat(content.read(bytes)).as("byte %d", index).isNotEqualTo(Found.of(ID));
            bytes[index] ^= 1;
        }
    }

    @Test
    void changedFillerIsTold() {
        byte[] bytes = content.bytes(ID, 5);
        bytes[bytes.length - 1] ^= 1;

        assertThat(content.read(bytes)).isEqualTo(Found.changed(ID));
    }

    @Test
    void messagesOfOthersAreTold() {
        byte[] ofAnotherRun = new Content(43, 1_000).bytes(ID, 5);

        assertThat(content.read(ofAnotherRun).message()).isNull();
        assertThat(content.read(new byte[0]).message()).isNull();
        assertThat(content.read(new byte[5])).isNotEqualTo(content.read(new byte[6]));
    }

    @Test
    void messagesHaveManySizes() {
        for (int number = 0; number < 1_000; number++) {
            assertThat(content.bytes(new MessageId(0, number, 0), 1)).hasSizeBetween(Content.HEADER_BYTES, 1_000);
        }
        assertThat(new Content(1, Content.HEADER_BYTES).bytes(ID, 5)).hasSize(Content.HEADER_BYTES);
    }

    @Test
    void foundFitsIntoAWord() {
        MessageId largest = new MessageId(MessageId.MAX_WRITERS - 2, Integer.MAX_VALUE, MessageId.MAX_INDEX - 1);
        for (Found found : new Found[] {
            Found.of(new MessageId(0, 0, 0)),
            Found.of(ID),
            Found.of(largest),
            Found.changed(largest),
            Found.foreign(0),
            Found.foreign(-1)
        }) {
            assertThat(Found.unpack(found.pack())).isEqualTo(found);
        }
        assertThat(Found.unpack(Found.NOTHING)).isNull();
    }
}
