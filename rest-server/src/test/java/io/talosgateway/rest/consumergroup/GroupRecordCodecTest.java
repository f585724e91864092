package io.talosgateway.rest.consumergroup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

final class GroupRecordCodecTest {

    private static final GroupRecordCodec CODEC = new GroupRecordCodec();
    private static final GroupRecord EVERY_CHANGE = new GroupRecord(
            "g",
            new TopicId(1, 2),
            List.of(
                    new Change.Joined("w"),
                    new Change.Left("v"),
                    new Change.Claimed(3, "w"),
                    new Change.Released(4),
                    new Change.Committed(5, 6),
                    new Change.Forgotten()));

    private static ByteSlice bytes(String hex) {
        return new ByteSlice(HexFormat.of().parseHex(hex.replace(" ", "")));
    }

    /** What is stored can be read by every later release. */
    @Test
    void bytesStayAsTheyAre() throws IOException {
        ByteSlice stored = bytes("01 0001 67 0000000000000001 0000000000000002 00000006"
                + "01 0001 77"
                + "02 0001 76"
                + "03 00000003 0001 77"
                + "04 00000004"
                + "05 00000005 0000000000000006"
                + "06");
        assertThat(CODEC.encode(List.of(EVERY_CHANGE)))
                .extracting(MessageBlock::data)
                .containsExactly(stored);
        assertThat(CODEC.decode(stored)).containsExactly(EVERY_CHANGE);
    }

    @Test
    void manyRecordsBecomeSeveralBlocks() throws IOException {
        List<GroupRecord> many = new ArrayList<>();
        for (int index = 0; index < 5_000; index++) {
            many.add(new GroupRecord("group-" + index, new TopicId(index, 7), EVERY_CHANGE.changes()));
        }
        List<MessageBlock> blocks = CODEC.encode(many);
        assertThat(blocks)
                .hasSizeGreaterThan(3)
                .allSatisfy(block -> assertThat(block.messageNumber()).isEqualTo(1));
        List<GroupRecord> read = new ArrayList<>();
        for (MessageBlock block : blocks) {
            read.addAll(CODEC.decode(block.data()));
        }
        assertThat(read).isEqualTo(many);
    }

    @Test
    void whatALaterReleaseWritesIsRefused() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CODEC.decode(bytes("02 0001 67")))
                .withMessageContaining("version 2");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> CODEC.decode(bytes("01 0001 67 0000000000000001 0000000000000002 00000001 07")))
                .withMessageContaining("kind 7");
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> CODEC.decode(bytes("01 0001 67 0000")));
    }
}
