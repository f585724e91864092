package io.talosgateway.rest.journal.file;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What the files of an {@link IndexFile} say of one partition: a row for each file that has messages of it, or in which its start
 * record says something of it that the rows before do not. For one thread.
 *
 * <pre>
 *  row = varint number of the file, less that of the row before | u8: 1 there is an end, 2 there is an extent
 *  end = epoch | end offset, less the one that the rows before lead to | total bytes, likewise
 *  extent = epoch | first offset, less the end so far | end offset, less the first | first time, less the last so far
 *         | last time, less the first | bytes | frames | position, length, i32 CRC32C of the section of its frames
 *
 *  epochs are less the one so far; numbers are signed varints ({@link Varint}) unless said otherwise
 * </pre>
 */
public final class IndexRows {

    private static final int HAS_END = 1;
    private static final int HAS_EXTENT = 2;
    private static final int MAX_ROW_BYTES = 13 * Varint.MAX_BYTES + 1 + Integer.BYTES;

    /** What a file, by its number in the index file, says of the partition. */
    public record Row(int file, @Nullable PartitionEnd end, Footer.@Nullable SealedPartition sealed) {}

    /** What the rows so far lead to; the same for whoever writes them and whoever reads them. */
    private static final class SoFar {

        private int file;
        private long epoch;
        private long endOffset;
        private long totalBytes;
        private long lastTimeMs;
        /** Whether the total is the partition's, and not only that of some files. */
        private boolean isWhole;

        private void add(PartitionEnd end) {
            epoch = end.epoch().value();
            endOffset = end.endOffset();
            totalBytes = end.totalBytes();
            isWhole = true;
        }

        private void add(PartitionExtent extent) {
            epoch = extent.epoch().value();
            endOffset = extent.endOffset();
            totalBytes += extent.bytes();
            lastTimeMs = extent.lastTimeMs();
        }

        private boolean leadsTo(PartitionEnd end) {
            return isWhole
                    && epoch == end.epoch().value()
                    && endOffset == end.endOffset()
                    && totalBytes == end.totalBytes();
        }
    }

    private final ByteArrayOutputStream rows = new ByteArrayOutputStream();
    private final ByteBuffer out = ByteBuffer.allocate(MAX_ROW_BYTES);
    private final SoFar soFar = new SoFar();
    private int count;

    /**
     * @param follows whether the file comes next after that of the last call in its lane, so that nothing is written that follows
     *     from the rows before; a file between the two may turn up that says something else
     */
    void add(int file, boolean follows, @Nullable PartitionEnd end, Footer.@Nullable SealedPartition sealed) {
        PartitionEnd told = end != null && !(follows && soFar.leadsTo(end)) ? end : null;
        if (told == null && sealed == null) {
            return;
        }
        count++;
        Varint.putUnsigned(out, file - soFar.file);
        soFar.file = file;
        out.put((byte) ((told == null ? 0 : HAS_END) | (sealed == null ? 0 : HAS_EXTENT)));
        if (told != null) {
            Varint.put(out, told.epoch().value() - soFar.epoch);
            Varint.put(out, told.endOffset() - soFar.endOffset);
            Varint.put(out, told.totalBytes() - soFar.totalBytes);
            soFar.add(told);
        }
        if (sealed != null) {
            add(sealed.extent(), sealed.frames());
        }
        rows.write(out.array(), 0, out.position());
        out.clear();
    }

    private void add(PartitionExtent extent, Footer.Section frames) {
        Varint.put(out, extent.epoch().value() - soFar.epoch);
        Varint.put(out, extent.firstOffset() - soFar.endOffset);
        Varint.put(out, extent.endOffset() - extent.firstOffset());
        Varint.put(out, extent.firstTimeMs() - soFar.lastTimeMs);
        Varint.put(out, extent.lastTimeMs() - extent.firstTimeMs());
        Varint.put(out, extent.bytes());
        Varint.put(out, extent.frames());
        Varint.put(out, frames.position());
        Varint.put(out, frames.length());
        out.putInt(frames.checksum());
        soFar.add(extent);
    }

    int count() {
        return count;
    }

    byte[] toByteArray() {
        return rows.toByteArray();
    }

    /**
     * Decodes rows whose checksum was right.
     *
     * @throws BufferUnderflowException if they end within a row
     */
    static List<Row> decode(TopicPartition partition, ByteBuffer in) {
        List<Row> rows = new ArrayList<>();
        SoFar soFar = new SoFar();
        while (in.hasRemaining()) {
            soFar.file += (int) Varint.getUnsigned(in);
            int flags = in.get();
            PartitionEnd end = null;
            if ((flags & HAS_END) != 0) {
                end = new PartitionEnd(
                        partition,
                        new OwnerEpoch(soFar.epoch + Varint.get(in)),
                        soFar.endOffset + Varint.get(in),
                        soFar.totalBytes + Varint.get(in));
                soFar.add(end);
            }
            Footer.SealedPartition sealed = null;
            if ((flags & HAS_EXTENT) != 0) {
                sealed = sealed(partition, in, soFar);
                soFar.add(sealed.extent());
            }
            rows.add(new Row(soFar.file, end, sealed));
        }
        return rows;
    }

    private static Footer.SealedPartition sealed(TopicPartition partition, ByteBuffer in, SoFar soFar) {
        OwnerEpoch epoch = new OwnerEpoch(soFar.epoch + Varint.get(in));
        long firstOffset = soFar.endOffset + Varint.get(in);
        long endOffset = firstOffset + Varint.get(in);
        long firstTimeMs = soFar.lastTimeMs + Varint.get(in);
        long lastTimeMs = firstTimeMs + Varint.get(in);
        PartitionExtent extent = new PartitionExtent(
                partition, epoch, firstOffset, endOffset, firstTimeMs, lastTimeMs, Varint.get(in), (int)
                        Varint.get(in));
        return new Footer.SealedPartition(
                extent, new Footer.Section((int) Varint.get(in), (int) Varint.get(in), in.getInt()));
    }
}
