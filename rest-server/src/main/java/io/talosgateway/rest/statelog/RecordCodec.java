package io.talosgateway.rest.statelog;

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
 * </pre>
 *
 * @param <R> a record
 */
public abstract class RecordCodec<R> {

    private static final int VERSION = 1;
    /** Blocks are closed when they have as many bytes. */
    private static final int BLOCK_BYTES = 64 << 10;

    private static final int FIRST_BYTES = 256;

    /** Writes a record. */
    protected abstract void write(DataOutputStream out, R record) throws IOException;

    /**
     * Reads a record.
     *
     * @throws IOException with the end of a sentence for the operator if the bytes are none of this version
     */
    protected abstract R read(DataInputStream in) throws IOException;

    /** What a record takes in the log: changes or bytes. */
    public abstract long weight(R record);

    /** A record that changes nothing. */
    public abstract R nothing();

    /** The blocks that hold the records. */
    public final List<MessageBlock> encode(List<R> records) {
        List<MessageBlock> blocks = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(FIRST_BYTES);
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            for (R record : records) {
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

    /**
     * The records of a block; they hold none of its bytes.
     *
     * @throws IOException with the end of a sentence for the operator if it is none of this version
     */
    public final List<R> decode(ByteSlice block) throws IOException {
        DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(block.array(), block.offset(), block.length()));
        int version = in.readUnsignedByte();
        if (version != VERSION) {
            throw new IOException("it has version " + version + ", which a newer release may have written");
        }
        List<R> records = new ArrayList<>();
        while (in.available() > 0) {
            records.add(read(in));
        }
        return records;
    }

    /** What {@link #readTopic} reads. */
    protected static void writeTopic(DataOutputStream out, TopicId topic) throws IOException {
        out.writeLong(topic.mostSignificant());
        out.writeLong(topic.leastSignificant());
    }

    /** The id of a topic: 16 bytes. */
    protected static TopicId readTopic(DataInputStream in) throws IOException {
        return new TopicId(in.readLong(), in.readLong());
    }
}
