package io.talosgateway.powercut;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The bytes of a file: those that were forced, and what was done since. */
final class FileData {

    /**
     * A write at a position, or, without data, a change of the file's length to it.
     *
     * @param number of the record
     */
    private record Change(long number, long position, ByteBuffer data) {}

    private final List<Change> unforced = new ArrayList<>();
    private byte[] bytes;
    private int length;
    /** With all that is not forced. */
    private long end;

    FileData(byte[] forced) {
        this.bytes = forced;
        this.length = forced.length;
        this.end = forced.length;
    }

    /** The length that the file has for those who read it. */
    long end() {
        return end;
    }

    void write(long number, long position, ByteBuffer data) {
        unforced.add(new Change(number, position, data));
        end = Math.max(end, position + data.remaining());
    }

    void setLength(long number, long newLength) {
        unforced.add(new Change(number, newLength, null));
        end = newLength;
    }

    /** All that was done before the record with this number is safe. */
    void force(long before) {
        unforced.removeIf(change -> {
            boolean covered = change.number < before;
            if (covered) {
                apply(change);
            }
            return covered;
        });
    }

    private void apply(Change change) {
        if (change.data == null) {
            resize(change.position);
        } else {
            put(change.position, change.data);
        }
    }

    private void put(long position, ByteBuffer data) {
        if (position + data.remaining() > length) {
            resize(position + data.remaining());
        }
        data.duplicate().get(bytes, Math.toIntExact(position), data.remaining());
    }

    private void resize(long newLength) {
        int to = Math.toIntExact(newLength);
        if (to > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(to, 2 * bytes.length));
        } else if (to < length) {
            Arrays.fill(bytes, to, length, (byte) 0);
        }
        length = to;
    }

    /** What a disk could hold of the file. */
    byte[] afterCut(Fate fate) {
        FileData found = new FileData(Arrays.copyOf(bytes, length));
        List<Change> writes = new ArrayList<>();
        for (Change change : unforced) {
            if (change.data != null) {
                writes.add(change);
            } else {
                found.keepSome(writes, fate);
                writes.clear();
                if (fate.keepsChange()) {
                    found.resize(change.position);
                }
            }
        }
        found.keepSome(writes, fate);
        // The new length can be on the disk before the bytes are.
        if (end > found.length && fate.keepsLength()) {
            found.resize(end);
        }
        return Arrays.copyOf(found.bytes, found.length);
    }

    /** Each sector is as it was at some moment: with the first of the writes to it, or all, or none. */
    private void keepSome(List<Change> writes, Fate fate) {
        Map<Long, List<Change>> bySector = new TreeMap<>();
        for (Change write : writes) {
            long position = write.position;
            ByteBuffer data = write.data.duplicate();
            while (data.hasRemaining()) {
                long sector = position / fate.sectorBytes();
                int inSector = (int) Math.min(data.remaining(), (sector + 1) * fate.sectorBytes() - position);
                bySector.computeIfAbsent(sector, any -> new ArrayList<>())
                        .add(new Change(write.number, position, data.slice(data.position(), inSector)));
                data.position(data.position() + inSector);
                position += inSector;
            }
        }
        bySector.values()
                .forEach(ofSector ->
                        ofSector.subList(0, fate.kept(ofSector.size())).forEach(this::apply));
    }
}
