package io.talosgateway.rest.transaction;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

final class TransactionRecordCodecTest {

    private static final TransactionRecordCodec CODEC = new TransactionRecordCodec();
    private static final TopicPartition PARTITION = new TopicPartition(new TopicId(1, 2), 3);
    private static final MessageBlock BLOCK = new MessageBlock(4, 1, bytes("aabb"), 5, bytes("cc"));

    private static final List<TransactionRecord> RECORDS = List.of(
            new TransactionRecord.Counted(6),
            new TransactionRecord.Prepared(7, PARTITION, BLOCK),
            new TransactionRecord.Decided(8, 9),
            new TransactionRecord.Ended(10, PARTITION, true),
            new TransactionRecord.Ended(11, PARTITION, false),
            new TransactionRecord.Forgotten(new TopicId(12, 13)));

    private static final String PARTITION_HEX = "0000000000000001 0000000000000002 00000003 ";

    private static ByteSlice bytes(String hex) {
        return new ByteSlice(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /** What is stored can be read by every later release. */
    @Test
    void bytesStayAsTheyAre() throws IOException {
        ByteSlice stored = bytes("01"
                + "01 0000000000000006"
                + "02 0000000000000007 " + PARTITION_HEX
                + "00000004 00000001 0000000000000005 00000002 aabb 00000001 cc"
                + "03 0000000000000008 0000000000000009"
                + "04 000000000000000a " + PARTITION_HEX + "01"
                + "04 000000000000000b " + PARTITION_HEX + "00"
                + "05 000000000000000c 000000000000000d");
        assertThat(CODEC.encode(RECORDS)).extracting(MessageBlock::data).containsExactly(stored);
        assertThat(CODEC.decode(stored)).isEqualTo(RECORDS);
    }

    @Test
    void decodedBlocksHoldNothingOfWhatTheyWereReadFrom() throws IOException {
        byte[] stored = CODEC.encode(RECORDS).get(0).data().toByteArray();
        List<TransactionRecord> decoded = CODEC.decode(new ByteSlice(stored));
        Arrays.fill(stored, (byte) 0);
        assertThat(decoded).isEqualTo(RECORDS);
    }

    @Test
    void whatALaterReleaseWritesOrIsCutOffIsRefused() {
        for (String hex : List.of("02 01", "01 06", "01 01 00", "01 05 00")) {
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> CODEC.decode(bytes(hex)));
        }
        String untilData = "01 02 0000000000000007 " + PARTITION_HEX + "00000004 00000001 0000000000000005 ";
        for (String length : List.of("7fffffff", "ffffffff", "00000003")) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> CODEC.decode(bytes(untilData + length + "aabb")))
                    .withMessageContaining("bytes where");
        }
    }
}
