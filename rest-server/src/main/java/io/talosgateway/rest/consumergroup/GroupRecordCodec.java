package io.talosgateway.rest.consumergroup;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.statelog.RecordCodec;
import io.talosgateway.rest.topic.TopicId;

/**
 * What is stored of consumer groups. Weighs changes. Stateless.
 *
 * <pre>
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
final class GroupRecordCodec extends RecordCodec<GroupRecord> {

    private static final int JOINED = 1;
    private static final int LEFT = 2;
    private static final int CLAIMED = 3;
    private static final int RELEASED = 4;
    private static final int COMMITTED = 5;
    private static final int FORGOTTEN = 6;

    @Override
    public long weight(GroupRecord record) {
        return record.changes().size();
    }

    @Override
    public GroupRecord nothing() {
        return new GroupRecord("", new TopicId(0, 0), List.of(new Change.Forgotten()));
    }

    @Override
    protected void write(DataOutputStream out, GroupRecord record) throws IOException {
        out.writeUTF(record.group());
        writeTopic(out, record.topic());
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

    @Override
    protected GroupRecord read(DataInputStream in) throws IOException {
        String group = in.readUTF();
        TopicId topic = readTopic(in);
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
