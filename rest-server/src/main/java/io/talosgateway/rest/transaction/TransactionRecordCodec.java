package io.talosgateway.rest.transaction;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

import io.talosgateway.rest.statelog.RecordCodec;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;

/**
 * What is stored of transactions. Weighs bytes. Stateless.
 *
 * <pre>
 * record:     1  counted    next id (8 bytes)
 *             2  prepared   id (8 bytes), partition, block
 *             3  decided    id (8 bytes), from offset (8 bytes)
 *             4  ended      id (8 bytes), partition, committed (1 byte: 1, else 0)
 *             5  forgotten  topic id (16 bytes)
 * partition:  topic id (16 bytes), number (4 bytes)
 * block:      messages (4 bytes), compression (4 bytes), create timestamp (8 bytes), data, extra fields
 * data, extra fields:  length (4 bytes), bytes
 * </pre>
 *
 * Numbers are big-endian.
 */
final class TransactionRecordCodec extends RecordCodec<TransactionRecord> {

    /** What a record has besides a block, at most; and what it takes in memory, nearly. */
    static final int OVERHEAD_BYTES = 64;

    private static final int COUNTED = 1;
    private static final int PREPARED = 2;
    private static final int DECIDED = 3;
    private static final int ENDED = 4;
    private static final int FORGOTTEN = 5;

    @Override
    public long weight(TransactionRecord record) {
        return record instanceof TransactionRecord.Prepared prepared ? weight(prepared.block()) : OVERHEAD_BYTES;
    }

    /** What a transaction with this block weighs. */
    static long weight(MessageBlock block) {
        return (long) block.bytes() + OVERHEAD_BYTES;
    }

    @Override
    public TransactionRecord nothing() {
        return new TransactionRecord.Counted(0);
    }

    @Override
    protected void write(DataOutputStream out, TransactionRecord record) throws IOException {
        if (record instanceof TransactionRecord.Counted counted) {
            out.writeByte(COUNTED);
            out.writeLong(counted.nextId());
        } else if (record instanceof TransactionRecord.Prepared prepared) {
            out.writeByte(PREPARED);
            out.writeLong(prepared.id());
            writePartition(out, prepared.partition());
            writeBlock(out, prepared.block());
        } else if (record instanceof TransactionRecord.Decided decided) {
            out.writeByte(DECIDED);
            out.writeLong(decided.id());
            out.writeLong(decided.fromOffset());
        } else if (record instanceof TransactionRecord.Ended ended) {
            out.writeByte(ENDED);
            out.writeLong(ended.id());
            writePartition(out, ended.partition());
            out.writeBoolean(ended.committed());
        } else if (record instanceof TransactionRecord.Forgotten forgotten) {
            out.writeByte(FORGOTTEN);
            writeTopic(out, forgotten.topic());
        } else {
            throw new AssertionError(record);
        }
    }

    private static void writePartition(DataOutputStream out, TopicPartition partition) throws IOException {
        writeTopic(out, partition.topic());
        out.writeInt(partition.partition());
    }

    private static void writeBlock(DataOutputStream out, MessageBlock block) throws IOException {
        out.writeInt(block.messageNumber());
        out.writeInt(block.compression());
        out.writeLong(block.createTimestampMs());
        writeBytes(out, block.data());
        writeBytes(out, block.extraFields());
    }

    private static void writeBytes(DataOutputStream out, ByteSlice bytes) throws IOException {
        out.writeInt(bytes.length());
        out.write(bytes.array(), bytes.offset(), bytes.length());
    }

    @Override
    protected TransactionRecord read(DataInputStream in) throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case COUNTED -> new TransactionRecord.Counted(in.readLong());
            case PREPARED -> new TransactionRecord.Prepared(in.readLong(), readPartition(in), readBlock(in));
            case DECIDED -> new TransactionRecord.Decided(in.readLong(), in.readLong());
            case ENDED -> new TransactionRecord.Ended(in.readLong(), readPartition(in), in.readBoolean());
            case FORGOTTEN -> new TransactionRecord.Forgotten(readTopic(in));
            default -> throw new IOException("it has a change of kind " + kind + ", which is not known");
        };
    }

    private static TopicPartition readPartition(DataInputStream in) throws IOException {
        return new TopicPartition(readTopic(in), in.readInt());
    }

    private static MessageBlock readBlock(DataInputStream in) throws IOException {
        int messages = in.readInt();
        int compression = in.readInt();
        long createTimestampMs = in.readLong();
        return new MessageBlock(messages, compression, readBytes(in), createTimestampMs, readBytes(in));
    }

    private static ByteSlice readBytes(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("it has " + length + " bytes where " + in.available() + " are left");
        }
        return new ByteSlice(in.readNBytes(length));
    }
}
