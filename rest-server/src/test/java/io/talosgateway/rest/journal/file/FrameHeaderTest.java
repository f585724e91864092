package io.talosgateway.rest.journal.file;

import java.nio.ByteBuffer;

import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Headers of frames whose checksum is right. */
final class FrameHeaderTest {

    private static final int TAG = 0x1234abcd;

    private final ByteBuffer header = ByteBuffer.wrap(new FrameEncoder()
            .messages(
                    TAG,
                    new TopicPartition(JournalFixture.TOPIC, 5),
                    OwnerEpoch.NONE,
                    0,
                    1,
                    0,
                    JournalFixture.batch("a"),
                    null,
                    0)
            .toByteArray());

    @Test
    void headerOfMessagesIsRead() {
        assertThat(FrameHeader.decode(header, TAG).blocks()).hasSize(1);
    }

    /** Its body is not of these blocks. */
    @Test
    void headerOfAnotherKindWithBlocksIsDamaged() {
        header.put(FrameHeader.KIND_AT, FrameKind.FOOTER.code());
        header.putInt(
                FrameHeader.CHECKSUM_AT,
                FrameHeader.checksum(header, FrameHeader.CHECKED_FROM, header.remaining() - FrameHeader.CHECKED_FROM));

        assertThat(FrameHeader.decode(header, TAG)).isNull();
    }
}
