package io.talosgateway.rest.journal.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import com.google.common.collect.Sets;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What some sealed files of a lane hold, by partition: whoever takes a partition over reads what concerns it, and not the footers
 * of all files. It says nothing that the footers do not say. This is its head, which is small; {@link #rows} are read when needed.
 *
 * <pre>
 *  u32 "TGX1"
 *  rows of each partition ({@link IndexRows})
 *  head:
 *    journal and lane as text: u16 length, UTF-8
 *    i32 files | per file, by sequence: i32 sequence | i32 tag | u8 1 if its footer is beside it
 *                                       | i64 position of the footer's body | i64 end of the frames | section of the keyed puts
 *    i32 partitions | per partition, in order: partition (20) | section of its rows, from the start of the index file
 *                                       | i64 end offset of its first extent, or -1 | i64 last time of that
 *  i64 position of the head | u32 CRC32C of the head | u32 CRC32C of these 12 bytes
 * </pre>
 *
 * Immutable.
 */
public final class IndexFile {

    private static final Logger log = LoggerFactory.getLogger(IndexFile.class);

    private static final int MAGIC = 0x54475831;
    private static final int TRAILER_BYTES = 16;
    private static final int TRAILER_CHECKED_BYTES = 12;
    private static final int FILE_BYTES = 4 + 4 + 1 + 8 + 8 + Footer.SECTION_BYTES;
    private static final int ENTRY_BYTES = PartitionCodec.BYTES + Footer.SECTION_BYTES + 8 + 8;
    private static final int NO_EXTENT = -1;

    private final JournalId journal;
    private final IndexFileName name;
    private final ByteBuffer head;
    private final int filesAt;
    private final int files;
    private final int entriesAt;
    private final int partitions;

    private IndexFile(JournalId journal, IndexFileName name, ByteBuffer head, int filesAt) {
        this.journal = journal;
        this.name = name;
        this.head = head;
        this.filesAt = filesAt + Integer.BYTES;
        this.files = head.getInt(filesAt);
        this.entriesAt = this.filesAt + files * FILE_BYTES + Integer.BYTES;
        this.partitions = head.getInt(entriesAt - Integer.BYTES);
    }

    // --- Writing ---

    /** A name with the content that belongs to it. */
    record Encoded(IndexFileName name, ByteSlice content) {}

    /** @param files sealed files of one lane, by sequence; at least one */
    static Encoded encode(List<JournalFile> files) {
        Map<TopicPartition, IndexRows> rows = new TreeMap<>();
        Map<TopicPartition, PartitionExtent> firstExtents = new HashMap<>();
        for (int number = 0; number < files.size(); number++) {
            JournalFile file = files.get(number);
            Footer footer = footer(file);
            boolean follows = number > 0
                    && files.get(number - 1).id().sequence() + 1 == file.id().sequence();
            for (TopicPartition partition : Sets.union(
                    footer.partitions().keySet(), footer.start().ends().keySet())) {
                Footer.SealedPartition sealed = footer.partitions().get(partition);
                rows.computeIfAbsent(partition, absent -> new IndexRows())
                        .add(number, follows, footer.start().ends().get(partition), sealed);
                if (sealed != null) {
                    firstExtents.putIfAbsent(partition, sealed.extent());
                }
            }
        }
        JournalFileId first = files.get(0).id();
        byte[] named = text(first.journal().toString(), first.lane());
        Map<TopicPartition, byte[]> sections = new TreeMap<>();
        int headAt = Integer.BYTES;
        for (Map.Entry<TopicPartition, IndexRows> one : rows.entrySet()) {
            byte[] section = one.getValue().toByteArray();
            sections.put(one.getKey(), section);
            headAt = Math.addExact(headAt, section.length);
        }
        int headBytes =
                named.length + Integer.BYTES + files.size() * FILE_BYTES + Integer.BYTES + rows.size() * ENTRY_BYTES;
        ByteBuffer out = ByteBuffer.allocate(Math.addExact(headAt, headBytes + TRAILER_BYTES));
        out.putInt(MAGIC);
        sections.values().forEach(out::put);
        out.put(named).putInt(files.size());
        files.forEach(file -> put(out, file));
        out.putInt(sections.size());
        int position = Integer.BYTES;
        for (Map.Entry<TopicPartition, byte[]> one : sections.entrySet()) {
            PartitionCodec.put(out, one.getKey());
            Footer.sectionOf(one.getValue(), position).encode(out);
            PartitionExtent extent = firstExtents.get(one.getKey());
            out.putLong(extent == null ? NO_EXTENT : extent.endOffset());
            out.putLong(extent == null ? 0 : extent.lastTimeMs());
            position += one.getValue().length;
        }
        out.putLong(headAt).putInt(FrameHeader.checksum(out, headAt, headBytes));
        out.putInt(FrameHeader.checksum(out, headAt + headBytes, TRAILER_CHECKED_BYTES));
        ByteSlice content = new ByteSlice(out.array());
        int last = files.get(files.size() - 1).id().sequence();
        return new Encoded(new IndexFileName(first.lane(), first.sequence(), last, Footer.checksum(content)), content);
    }

    private static Footer footer(JournalFile file) {
        return Objects.requireNonNull(file.sealedIndex()).footer();
    }

    private static void put(ByteBuffer out, JournalFile file) {
        JournalFile.Sealed sealed = Objects.requireNonNull(file.sealedIndex());
        boolean isBeside = !sealed.path().equals(file.id().path());
        out.putInt(file.id().sequence()).putInt(file.tag()).put((byte) (isBeside ? 1 : 0));
        out.putLong(sealed.bodyPosition()).putLong(sealed.footer().dataEnd());
        sealed.footer().keyedPuts().encode(out);
    }

    private static byte[] text(String... texts) {
        ByteBuffer out = ByteBuffer.allocate(1 << 10);
        for (String text : texts) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            out.putShort((short) bytes.length).put(bytes);
        }
        byte[] written = new byte[out.position()];
        out.get(0, written);
        return written;
    }

    /**
     * Writes an index file, or finds the same one there.
     *
     * @return null if that failed: the footers of the files say the same
     */
    public static @Nullable IndexFileName write(JournalStorage storage, JournalId journal, List<JournalFile> files) {
        try {
            Encoded encoded = encode(files);
            storage.createWhole(encoded.name().path(journal), encoded.content());
            log.info("Indexed {} files of {} in {}", files.size(), journal, encoded.name());
            return encoded.name();
        } catch (IOException | RuntimeException e) {
            log.warn("Indexing {} files of {} failed: {}", files.size(), journal, e.toString());
            return null;
        }
    }

    // --- Reading ---

    /**
     * Reads the head.
     *
     * @throws java.io.FileNotFoundException if it is not there
     * @throws DamagedIndexException if it is not whole, or not that of this journal and lane
     */
    public static IndexFile read(JournalStorage storage, JournalId journal, IndexFileName name) throws IOException {
        try (ReadFile file = storage.open(name.path(journal))) {
            return read(file, journal, name);
        }
    }

    /** Reads the head of an index file that is open. */
    static IndexFile read(ReadFile file, JournalId journal, IndexFileName name) throws IOException {
        String path = name.path(journal);
        long trailerAt = file.length() - TRAILER_BYTES;
        if (trailerAt < Integer.BYTES) {
            throw new DamagedIndexException(path);
        }
        refuseOtherVersion(read(file, 0, Integer.BYTES, path), path);
        ByteBuffer trailer = read(file, trailerAt, TRAILER_BYTES, path);
        long headAt = trailer.getLong(0);
        if (trailer.getInt(TRAILER_CHECKED_BYTES) != FrameHeader.checksum(trailer, 0, TRAILER_CHECKED_BYTES)
                || headAt < Integer.BYTES
                || headAt > trailerAt) {
            throw new DamagedIndexException(path);
        }
        ByteBuffer head = read(file, headAt, (int) (trailerAt - headAt), path);
        byte[] named = text(journal.toString(), name.lane());
        if (trailer.getInt(Long.BYTES) != FrameHeader.checksum(head, 0, head.capacity())
                || !ByteBuffer.wrap(named).equals(head.slice(0, Math.min(named.length, head.capacity())))) {
            throw new DamagedIndexException(path);
        }
        checkCounts(head, named.length, name, path);
        return new IndexFile(journal, name, head, named.length);
    }

    /** The head is as long as its numbers of files and partitions say, and its files are those that the name says. */
    private static void checkCounts(ByteBuffer head, int filesAt, IndexFileName name, String path)
            throws DamagedIndexException {
        long left = head.capacity() - filesAt - 2L * Integer.BYTES;
        long files = left < 0 ? -1 : head.getInt(filesAt);
        if (files < 0 || files * FILE_BYTES > left) {
            throw new DamagedIndexException(path);
        }
        left -= files * FILE_BYTES;
        long partitions = head.getInt((int) (filesAt + Integer.BYTES + files * FILE_BYTES));
        if (partitions < 0 || partitions * ENTRY_BYTES != left) {
            throw new DamagedIndexException(path);
        }
        for (int number = 0; number < files; number++) {
            int sequence = head.getInt(filesAt + Integer.BYTES + number * FILE_BYTES);
            if (sequence < name.first() || sequence > name.last()) {
                throw new DamagedIndexException(path);
            }
        }
    }

    private static void refuseOtherVersion(ByteBuffer first, String path) throws IOException {
        int magic = first.getInt(0);
        if (magic != MAGIC) {
            if ((magic ^ MAGIC) >>> Byte.SIZE != 0) {
                throw new DamagedIndexException(path);
            }
            throw new IOException(
                    "%s was written by another version of the gateway: its format is %c, this one reads %c. Start the version that wrote it."
                            .formatted(path, (char) (magic & 0xff), (char) (MAGIC & 0xff)));
        }
    }

    private static ByteBuffer read(ReadFile file, long position, int length, String path) throws IOException {
        byte[] bytes = new byte[length];
        if (file.read(position, bytes, 0, length) < length) {
            throw new EOFException("%s ends before position %d".formatted(path, position + length));
        }
        return ByteBuffer.wrap(bytes);
    }

    public IndexFileName name() {
        return name;
    }

    /** Bytes of memory, about. */
    int memoryBytes() {
        return head.capacity();
    }

    /** The sequences of its journal files. */
    public BitSet sequences() {
        BitSet sequences = new BitSet();
        for (int number = 0; number < files; number++) {
            sequences.set(file(number).sequence());
        }
        return sequences;
    }

    private JournalFileId file(int number) {
        return new JournalFileId(journal, name.lane(), head.getInt(filesAt + number * FILE_BYTES));
    }

    /** All partitions that the files, or their start records, name. */
    public Set<TopicPartition> partitions() {
        Set<TopicPartition> named = new TreeSet<>();
        for (int number = 0; number < partitions; number++) {
            named.add(PartitionCodec.get(head, entriesAt + number * ENTRY_BYTES));
        }
        return named;
    }

    /** Whether one of the files may be deleted; the first file of each partition tells. */
    public boolean mayBeExpired(ExpiryCheck expiry) {
        boolean isEmpty = true;
        for (int number = 0; number < partitions; number++) {
            int at = entriesAt + number * ENTRY_BYTES;
            int extentAt = at + PartitionCodec.BYTES + Footer.SECTION_BYTES;
            long endOffset = head.getLong(extentAt);
            if (endOffset != NO_EXTENT) {
                isEmpty = false;
                if (expiry.mayBeExpired(PartitionCodec.get(head, at), endOffset, head.getLong(extentAt + Long.BYTES))) {
                    return true;
                }
            }
        }
        return isEmpty;
    }

    /** The files but some, by their numbers. */
    public List<JournalFileId> filesBut(BitSet numbers) {
        List<JournalFileId> others = new ArrayList<>();
        for (int number = numbers.nextClearBit(0); number < files; number = numbers.nextClearBit(number + 1)) {
            others.add(file(number));
        }
        return others;
    }

    boolean namesAny(Set<TopicPartition> wanted) {
        return wanted.stream().anyMatch(this::names);
    }

    private boolean names(TopicPartition partition) {
        return entry(partition) >= 0;
    }

    /** Where the entry of a partition is, or a negative number. */
    private int entry(TopicPartition partition) {
        int from = 0;
        int to = partitions - 1;
        while (from <= to) {
            int middle = (from + to) >>> 1;
            int at = entriesAt + middle * ENTRY_BYTES;
            int order = PartitionCodec.get(head, at).compareTo(partition);
            if (order == 0) {
                return at;
            }
            if (order < 0) {
                from = middle + 1;
            } else {
                to = middle - 1;
            }
        }
        return -1;
    }

    public ReadFile open(JournalStorage storage) throws IOException {
        return storage.open(name.path(journal));
    }

    /**
     * What the files say of one of the {@link #partitions}.
     *
     * @param file the index file, open
     * @throws DamagedIndexException if that is damaged
     */
    public List<IndexRows.Row> rows(ReadFile file, TopicPartition partition) throws IOException {
        String path = name.path(journal);
        ByteBuffer at = head.duplicate().position(entry(partition) + PartitionCodec.BYTES);
        Footer.Section section = Footer.Section.decode(at);
        if (section.position() < 0 || section.length() < 0 || section.length() > file.length()) {
            throw new DamagedIndexException(path);
        }
        ByteBuffer bytes = read(file, section.position(), section.length(), path);
        if (FrameHeader.checksum(bytes, 0, section.length()) != section.checksum()) {
            throw new DamagedIndexException(path);
        }
        try {
            List<IndexRows.Row> rows = IndexRows.decode(partition, bytes);
            if (rows.stream().allMatch(row -> row.file() >= 0 && row.file() < files)) {
                return rows;
            }
        } catch (BufferUnderflowException e) {
            // They end within a row.
        }
        throw new DamagedIndexException(path);
    }

    /** Those of the files that say something of some partitions, by sequence, each with what it says of these. */
    List<JournalFile> files(ReadFile file, Set<TopicPartition> wanted) throws IOException {
        Map<Integer, Map<TopicPartition, PartitionEnd>> ends = new TreeMap<>();
        Map<Integer, Map<TopicPartition, Footer.SealedPartition>> sealed = new HashMap<>();
        for (TopicPartition partition : wanted) {
            if (!names(partition)) {
                continue;
            }
            for (IndexRows.Row row : rows(file, partition)) {
                Map<TopicPartition, PartitionEnd> endsOfFile =
                        ends.computeIfAbsent(row.file(), absent -> new HashMap<>(1));
                if (row.end() != null) {
                    endsOfFile.put(partition, row.end());
                }
                if (row.sealed() != null) {
                    sealed.computeIfAbsent(row.file(), absent -> new HashMap<>(1))
                            .put(partition, row.sealed());
                }
            }
        }
        List<JournalFile> files = new ArrayList<>();
        ends.forEach((number, endsOfFile) ->
                files.add(journalFile(number, endsOfFile, sealed.getOrDefault(number, Map.of()))));
        return files;
    }

    private JournalFile journalFile(
            int number, Map<TopicPartition, PartitionEnd> ends, Map<TopicPartition, Footer.SealedPartition> sealed) {
        ByteBuffer in = head.duplicate().position(filesAt + number * FILE_BYTES);
        JournalFileId id = new JournalFileId(journal, name.lane(), in.getInt());
        int tag = in.getInt();
        String path = in.get() == 0 ? id.path() : id.detachedFooterPath();
        long bodyPosition = in.getLong();
        Footer footer = new Footer(
                in.getLong(), new StartRecord(id, 0, Map.copyOf(ends)), Map.copyOf(sealed), Footer.Section.decode(in));
        return JournalFile.sealed(id, tag, new JournalFile.Sealed(footer, path, bodyPosition));
    }
}
