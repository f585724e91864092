package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.zip.CRC32C;

import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/**
 * The body of a sealed file's last frame: what of which partition is in the file, and where. What is small is kept in
 * memory; the frames of a partition, and the puts with idempotency keys, are sections that are read when needed.
 *
 * <pre>
 *  i64 end of the frames
 *  i32 length, body of the start frame
 *  i32 partitions | per partition: partition (20) | i64 epoch | i64 first offset | i64 end offset
 *                                | i64 first time | i64 last time | i64 bytes | i32 frames | section
 *  section of the keyed puts
 *  sections:
 *    frames of a partition: per frame varint position delta | varint messages | varint time delta
 *    keyed puts: per put partition (20) | i64 key, i64 key | i64 digest | i64 first offset | i32 messages | i64 time
 *
 *  section = i32 position, from the start of the body | i32 length | i32 CRC32C
 * </pre>
 *
 * @param dataEnd every frame of messages ends at or below this position
 * @param start the file's start record
 * @param partitions what of which partition is in the file
 * @param keyedPuts where the keyed puts are
 */
public record Footer(
        long dataEnd, StartRecord start, Map<TopicPartition, SealedPartition> partitions, Section keyedPuts) {

    static final int SECTION_BYTES = 12;
    private static final int DIRECTORY_ENTRY_BYTES = PartitionCodec.BYTES + 6 * 8 + 4 + SECTION_BYTES;

    /** Where a section is: position from the start of the body, length, checksum. */
    public record Section(int position, int length, int checksum) {

        void encode(ByteBuffer out) {
            out.putInt(position).putInt(length).putInt(checksum);
        }

        static Section decode(ByteBuffer in) {
            return new Section(in.getInt(), in.getInt(), in.getInt());
        }

        /** Whether these are its bytes. */
        public boolean isWhole(ByteSlice bytes) {
            return bytes.length() == length && Footer.checksum(bytes) == checksum;
        }
    }

    /** What of a partition is in the file, and the section with its frames. */
    public record SealedPartition(PartitionExtent extent, Section frames) {}

    static ByteSlice encode(FileIndex index, long dataEnd) {
        List<TopicPartition> partitions = new ArrayList<>(index.partitions());
        ByteSlice start = index.start().encode();
        int directoryBytes = 8 + 4 + start.length() + 4 + partitions.size() * DIRECTORY_ENTRY_BYTES + SECTION_BYTES;
        List<byte[]> sections = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            sections.add(Objects.requireNonNull(index.frames(partition)).encode());
        }
        sections.add(index.encodeKeyedPuts());
        int length = directoryBytes;
        for (byte[] section : sections) {
            length = Math.addExact(length, section.length);
        }

        ByteBuffer out = ByteBuffer.allocate(length);
        out.putLong(dataEnd);
        out.putInt(start.length());
        out.put(start.toByteBuffer());
        out.putInt(partitions.size());
        int position = directoryBytes;
        for (int number = 0; number < partitions.size(); number++) {
            encode(out, Objects.requireNonNull(index.extent(partitions.get(number))));
            sectionOf(sections.get(number), position).encode(out);
            position += sections.get(number).length;
        }
        sectionOf(sections.get(partitions.size()), position).encode(out);
        sections.forEach(out::put);
        return new ByteSlice(out.array());
    }

    /**
     * Decodes a body whose checksum was right.
     *
     * @throws IOException if it is no footer nevertheless
     */
    static Footer decode(ByteBuffer body) throws IOException {
        try {
            return decoded(body);
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw damaged(e);
        }
    }

    private static IOException damaged(RuntimeException cause) {
        return new IOException("the footer of a journal file is damaged", cause);
    }

    private static Footer decoded(ByteBuffer body) throws IOException {
        long dataEnd = body.getLong();
        int startLength = body.getInt();
        StartRecord start = StartRecord.decode(body.slice(body.position(), startLength));
        body.position(body.position() + startLength);
        int count = body.getInt();
        Map<TopicPartition, SealedPartition> partitions = new TreeMap<>();
        for (int number = 0; number < count; number++) {
            PartitionExtent extent = decodeExtent(body);
            partitions.put(extent.partition(), new SealedPartition(extent, Section.decode(body)));
        }
        return new Footer(dataEnd, start, Map.copyOf(partitions), Section.decode(body));
    }

    /**
     * @param bytes of a section that {@linkplain Section#isWhole is whole}
     * @throws IOException if they are no frames nevertheless
     */
    public static PartitionFrames decodeFrames(ByteSlice bytes, SealedPartition partition) throws IOException {
        try {
            return decodedFrames(bytes, partition);
        } catch (BufferUnderflowException e) {
            throw damaged(e);
        }
    }

    private static PartitionFrames decodedFrames(ByteSlice bytes, SealedPartition partition) {
        PartitionExtent extent = partition.extent();
        PartitionFrames frames = new PartitionFrames(extent.firstOffset(), extent.firstTimeMs());
        ByteBuffer in = bytes.toByteBuffer();
        int position = 0;
        long timeMs = extent.firstTimeMs();
        for (int number = 0; number < extent.frames(); number++) {
            position += (int) Varint.getUnsigned(in);
            long messages = Varint.getUnsigned(in);
            timeMs += Varint.getUnsigned(in);
            frames.add(position, frames.endOffset(), messages, timeMs, 0);
        }
        return frames;
    }

    /**
     * @param bytes of a section that {@linkplain Section#isWhole is whole}
     * @throws IOException if they are no puts nevertheless
     */
    public static List<KeyedPut> decodeKeyedPuts(ByteSlice bytes) throws IOException {
        return KeyedPutBuffer.decode(bytes);
    }

    @Nullable
    PartitionExtent extent(TopicPartition partition) {
        SealedPartition sealed = partitions.get(partition);
        return sealed == null ? null : sealed.extent();
    }

    private static void encode(ByteBuffer out, PartitionExtent extent) {
        PartitionCodec.put(out, extent.partition());
        out.putLong(extent.epoch().value());
        out.putLong(extent.firstOffset());
        out.putLong(extent.endOffset());
        out.putLong(extent.firstTimeMs());
        out.putLong(extent.lastTimeMs());
        out.putLong(extent.bytes());
        out.putInt(extent.frames());
    }

    private static PartitionExtent decodeExtent(ByteBuffer in) {
        return new PartitionExtent(
                PartitionCodec.get(in),
                new OwnerEpoch(in.getLong()),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getInt());
    }

    static Section sectionOf(byte[] bytes, int position) {
        return new Section(position, bytes.length, checksum(new ByteSlice(bytes)));
    }

    static int checksum(ByteSlice bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), bytes.offset(), bytes.length());
        return (int) crc.getValue();
    }
}
