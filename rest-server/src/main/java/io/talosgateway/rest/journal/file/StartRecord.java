package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

import com.google.common.io.ByteArrayDataOutput;
import com.google.common.io.ByteStreams;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;

/**
 * The body of a file's first frame.
 *
 * <pre>
 *  u16 length, host UTF-8 | i64 incarnation | u16 length, lane UTF-8 | i32 sequence | i64 created, ms
 *  i32 entries | per entry: partition (20) | i64 epoch | i64 end offset | i64 total bytes
 * </pre>
 *
 * @param file which file it is
 * @param createdAtMs epoch milliseconds
 * @param ends where the partitions ended that the lane wrote, or tried to write, before
 */
public record StartRecord(JournalFileId file, long createdAtMs, Map<TopicPartition, PartitionEnd> ends) {

    ByteSlice encode() {
        ByteArrayDataOutput out = ByteStreams.newDataOutput(64 + 44 * ends.size());
        putText(out, file.journal().host());
        out.writeLong(file.journal().incarnation());
        putText(out, file.lane());
        out.writeInt(file.sequence());
        out.writeLong(createdAtMs);
        out.writeInt(ends.size());
        for (PartitionEnd end : ends.values()) {
            ByteBuffer partition = ByteBuffer.allocate(PartitionCodec.BYTES);
            PartitionCodec.put(partition, end.partition());
            out.write(partition.array());
            out.writeLong(end.epoch().value());
            out.writeLong(end.endOffset());
            out.writeLong(end.totalBytes());
        }
        return new ByteSlice(out.toByteArray());
    }

    /**
     * Decodes bytes whose checksum was right.
     *
     * @throws IOException if they are no start record nevertheless
     */
    static StartRecord decode(ByteBuffer in) throws IOException {
        try {
            JournalId journal = new JournalId(text(in), in.getLong());
            JournalFileId file = new JournalFileId(journal, text(in), in.getInt());
            long createdAtMs = in.getLong();
            int count = in.getInt();
            Map<TopicPartition, PartitionEnd> ends = new HashMap<>();
            for (int index = 0; index < count; index++) {
                TopicPartition partition = PartitionCodec.get(in);
                ends.put(
                        partition,
                        new PartitionEnd(partition, new OwnerEpoch(in.getLong()), in.getLong(), in.getLong()));
            }
            return new StartRecord(file, createdAtMs, ends);
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            throw new IOException("the first frame of a journal file is damaged", e);
        }
    }

    private static void putText(ByteArrayDataOutput out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeShort(bytes.length);
        out.write(bytes);
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
