package io.talosgateway.rest.consumergroup;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;

/**
 * Records as blocks of messages, each of one message. Stateless.
 *
 * <pre>
 * block:   version (1 byte: 1), then records until its end
 * record:  group (text), topic id (16 bytes), number of changes (4 bytes), changes
 * change:  1  joined     worker (text)
 *          2  left       worker (text)
 *          3  claimed    partition (4 bytes), worker (text)
 *          4  released   partition (4 bytes)
 *          5  committed  partition (4 bytes), offset (8 bytes)
 *          6  forgotten
 * text:    length (2 bytes), UTF-8 as {@link DataOutputStream#writeUTF} writes it
 * </pre>
 *
 * Numbers are big-endian.
 */
final class GroupRecordCodec {

    private static final int VERSION = 1;
    /** Blocks are closed when they have as many bytes. */
    private static final int BLOCK_BYTES = 64 << 10;

    private static final int JOINED = 1;
    private static final int LEFT = 2;
    private static final int CLAIMED = 3;
    private static final int RELEASED = 4;
    private static final int COMMITTED = 5;
    private static final int FORGOTTEN = 6;

    private GroupRecordCodec() {}

    static List<MessageBlock> encode(List<GroupRecord> records) {
        List<MessageBlock> blocks = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            for (GroupRecord record : records) {
                if (bytes.size() == 0) {
                    out.writeByte(VERSION);
                }
                write(out, record);
                if (bytes.size() >= BLOCK_BYTES) {
                    blocks.add(block(bytes));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        if (bytes.size() > 0) {
            blocks.add(block(bytes));
        }
        return blocks;
    }

    private static MessageBlock block(ByteArrayOutputStream bytes) {
        ByteSlice data = new ByteSlice(bytes.toByteArray());
        bytes.reset();
        return new MessageBlock(1, 0, data, MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY);
    }

    private static void write(DataOutputStream out, GroupRecord record) throws IOException {
        out.writeUTF(record.group());
        out.writeLong(record.topic().mostSignificant());
        out.writeLong(record.topic().leastSignificant());
        out.writeInt(record.changes().size());
        for (Change change : record.changes()) {
            write(out, change);
        }
    }

    private static void write(DataOutputStream out, Change change) throws IOException {
        if (change instanceof Change.Joined joined) {
            out.writeByte(JOINED);
            out.writeUTF(joined.worker());
        } else if (change instanceof Change.Left left) {
            out.writeByte(LEFT);
            out.writeUTF(left.worker());
        } else if (change instanceof Change.Claimed claimed) {
            out.writeByte(CLAIMED);
            out.writeInt(claimed.partition());
            out.writeUTF(claimed.worker());
        } else if (change instanceof Change.Released released) {
            out.writeByte(RELEASED);
            out.writeInt(released.partition());
        } else if (change instanceof Change.Committed committed) {
            out.writeByte(COMMITTED);
            out.writeInt(committed.partition());
            out.writeLong(committed.offset());
        } else {
            out.writeByte(FORGOTTEN);
        }
    }

    /**
     * The records of a block.
     *
     * @throws IOException with a sentence for the operator if it is none of this version
     */
    static List<GroupRecord> decode(ByteSlice block) throws IOException {
        DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(block.array(), block.offset(), block.length()));
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new IOException("it has version " + version + ", which a newer release may have written");
        }
        List<GroupRecord> records = new ArrayList<>();
        while (in.available() > 0) {
            records.add(readRecord(in));
        }
        return records;
    }

    private static GroupRecord readRecord(DataInputStream in) throws IOException {
        String group = in.readUTF();
        TopicId topic = new TopicId(in.readLong(), in.readLong());
        int count = in.readInt();
        List<Change> changes = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            changes.add(readChange(in));
        }
        return new GroupRecord(group, topic, changes);
    }

    private static Change readChange(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case JOINED -> new Change.Joined(in.readUTF());
            case LEFT -> new Change.Left(in.readUTF());
            case CLAIMED -> new Change.Claimed(in.readInt(), in.readUTF());
            case RELEASED -> new Change.Released(in.readInt());
            case COMMITTED -> new Change.Committed(in.readInt(), in.readLong());
            case FORGOTTEN -> new Change.Forgotten();
            default -> throw new IOException("it has a change of kind " + kind + ", which is not known");
        };
    }
}
