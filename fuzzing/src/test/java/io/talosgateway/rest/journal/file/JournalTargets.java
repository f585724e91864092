package io.talosgateway.rest.journal.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.common.collect.ImmutableSet;
import io.talosgateway.fuzz.FuzzTarget;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** The files of a journal. */
public final class JournalTargets {

    private static final int TAG = 0x1234abcd;
    private static final JournalId JOURNAL = new JournalId("gw-1", 7);
    private static final JournalFileId ID = new JournalFileId(JOURNAL, "days-0", 3);
    private static final TopicPartition ONE = new TopicPartition(new TopicId(1, 2), 5);
    private static final TopicPartition OTHER = new TopicPartition(new TopicId(3, 4), 0);
    private static final OwnerEpoch EPOCH = OwnerEpoch.NONE.next();
    private static final IndexFileName INDEX = new IndexFileName("days-0", 3, 4, 0);

    private JournalTargets() {}

    public static List<FuzzTarget<?>> all() {
        return List.of(
                FuzzTarget.of("journal-scan", List.of(file(false), file(true)), input -> scan(input, false))
                        .repaired(Checksums::ofFrames)
                        .checked(JournalTargets::checkScan)
                        // A window of 4 MiB is read at a time.
                        .allocating(128, 6 << 20),
                FuzzTarget.of("journal-scan-damaged", List.of(file(false), file(true)), input -> scan(input, true))
                        .repaired(Checksums::ofFrames)
                        .checked(JournalTargets::checkScan)
                        .allocating(128, 6 << 20),
                FuzzTarget.of("journal-frame", frames(), JournalTargets::frame)
                        .repaired(Checksums::ofFrames)
                        .checked(JournalTargets::checkFrame),
                FuzzTarget.of("journal-footer", List.of(file(true)), JournalTargets::footer)
                        .repaired(Checksums::ofFrames)
                        .checked(JournalTargets::checkFooter),
                FuzzTarget.of("journal-start", List.of(start().encode().toByteArray()), JournalTargets::startRecord)
                        .checked(JournalTargets::checkStart),
                FuzzTarget.of("journal-manifest", manifests(), JournalTargets::manifest)
                        .repaired(Checksums::ofManifest)
                        .checked(JournalTargets::checkManifest)
                        // A range of sequences becomes a set of bits.
                        .allocating(128, 32 << 20),
                FuzzTarget.of("journal-index", List.of(index()), JournalTargets::indexed)
                        .repaired(Checksums::ofIndex));
    }

    // --- Files ---

    private static StartRecord start() {
        Map<TopicPartition, PartitionEnd> ends = new HashMap<>();
        ends.put(ONE, new PartitionEnd(ONE, EPOCH, 1000, 77_000));
        ends.put(OTHER, new PartitionEnd(OTHER, EPOCH.next(), 0, 0));
        return new StartRecord(ID, 1_600_000_000_000L, ends);
    }

    private static MessageBatch batch(int blocks) {
        List<MessageBlock> all = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            all.add(new MessageBlock(
                    3,
                    0,
                    ByteSlice.utf8("block " + block),
                    block == 0 ? MessageBlock.NO_TIMESTAMP : 1_600_000_000_000L,
                    block == 1 ? ByteSlice.utf8("extra") : ByteSlice.EMPTY));
        }
        return new MessageBatch(all);
    }

    private static void put(ByteArrayOutputStream out, long firstOffset, MessageBatch batch, @Nullable String key) {
        write(
                out,
                new FrameEncoder()
                        .messages(TAG, ONE, EPOCH, firstOffset, 1_600_000_000_500L, out.size(), batch, key, 99));
        for (MessageBlock block : batch.blocks()) {
            write(out, block.data());
            write(out, block.extraFields());
        }
    }

    private static void write(ByteArrayOutputStream out, ByteSlice bytes) {
        out.write(bytes.array(), bytes.offset(), bytes.length());
    }

    private static byte[] file(boolean sealed) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteSlice start = start().encode();
        write(out, new FrameEncoder().other(FrameKind.START, TAG, start, 0));
        write(out, start);
        put(out, 1000, batch(1), null);
        put(out, 1003, batch(3), "key-1");
        put(out, 1012, batch(2), "key-2");
        if (sealed) {
            int dataEnd = out.size();
            try {
                FileScanner.Result scanned = FileScanner.scan(ID, new BytesStorage.Bytes(out.toByteArray()), false);
                ByteSlice footer = Footer.encode(scanned.index(), dataEnd);
                write(out, new FrameEncoder().other(FrameKind.FOOTER, TAG, footer, dataEnd));
                write(out, footer);
                write(out, new Trailer(TAG, dataEnd).encode());
            } catch (IOException e) {
                throw new AssertionError("the file is whole", e);
            }
        }
        return out.toByteArray();
    }

    private static List<byte[]> frames() {
        List<byte[]> frames = new ArrayList<>();
        for (int blocks = 1; blocks < 4; blocks++) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            put(out, 1000, batch(blocks), blocks == 2 ? "key" : null);
            frames.add(out.toByteArray());
        }
        return frames;
    }

    // --- Scans ---

    private static FileScanner.@Nullable Result scan(byte[] input, boolean acceptDamage) {
        try {
            return FileScanner.scan(ID, new BytesStorage.Bytes(input), acceptDamage);
        } catch (IOException e) {
            return null;
        }
    }

    /** A file that was scanned is sealed: its footer says the same. */
    private static void checkScan(FileScanner.Result scanned) throws IOException {
        Footer footer =
                Footer.decode(Footer.encode(scanned.index(), scanned.dataEnd()).toByteBuffer());
        assertThat(footer.dataEnd()).isEqualTo(scanned.dataEnd());
        assertThat(footer.partitions().keySet())
                .containsExactlyInAnyOrderElementsOf(scanned.index().partitions());
        for (TopicPartition partition : scanned.index().partitions()) {
            assertThat(footer.extent(partition)).isEqualTo(scanned.index().extent(partition));
        }
    }

    // --- Frames ---

    /** As {@link JournalReader} reads one. */
    private static @Nullable List<StoredBlock> frame(byte[] input) {
        ByteBuffer in = ByteBuffer.wrap(input);
        FrameHeader header = FrameHeader.decode(in, TAG);
        if (header == null || header.frameLength() > input.length) {
            return null;
        }
        ByteSlice body = new ByteSlice(input, header.headerLength(), header.bodyLength());
        boolean isWhole = FrameHeader.checksum(body.toByteBuffer(), 0, body.length()) == header.bodyChecksum();
        return isWhole ? new Frame(header, body).blocks() : null;
    }

    private static void checkFrame(List<StoredBlock> blocks) {
        if (blocks.isEmpty()) {
            return;
        }
        MessageBatch batch =
                new MessageBatch(blocks.stream().map(StoredBlock::block).toList());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        put(out, blocks.get(0).startOffset(), batch, null);
        FrameHeader header = FrameHeader.decode(ByteBuffer.wrap(out.toByteArray()), TAG);
        assertThat(header).isNotNull();
        byte[] body = Arrays.copyOfRange(out.toByteArray(), header.headerLength(), out.size());
        List<StoredBlock> again = new Frame(header, new ByteSlice(body)).blocks();
        assertThat(again.stream().map(StoredBlock::block).toList())
                .isEqualTo(blocks.stream().map(StoredBlock::block).toList());
    }

    // --- Footers ---

    private static @Nullable Footer footer(byte[] input) {
        BytesStorage storage = new BytesStorage(Map.of(ID.path(), input, ID.detachedFooterPath(), input));
        Footer footer = null;
        try {
            footer = sealed(new FooterReader(storage).inside(ID), input);
        } catch (IOException e) {
            // It is refused.
        }
        try {
            sealed(new FooterReader(storage).beside(ID), input);
        } catch (IOException e) {
            // It is refused.
        }
        return footer;
    }

    private static @Nullable Footer sealed(@Nullable JournalFile file, byte[] input) throws IOException {
        if (file == null) {
            return null;
        }
        JournalFile.Sealed sealed = file.sealedIndex();
        assertThat(sealed).isNotNull();
        for (Footer.SealedPartition partition : sealed.footer().partitions().values()) {
            Footer.decodeFrames(section(sealed, partition.frames(), input), partition);
        }
        Footer.decodeKeyedPuts(section(sealed, sealed.footer().keyedPuts(), input));
        return sealed.footer();
    }

    /** As a journal reads it: what is behind the end is not there, and what is damaged is not decoded. */
    private static ByteSlice section(JournalFile.Sealed sealed, Footer.Section section, byte[] input)
            throws IOException {
        long from = sealed.bodyPosition() + section.position();
        if (section.position() < 0 || section.length() < 0 || from + section.length() > input.length) {
            throw new IOException("the file ends before");
        }
        ByteSlice bytes = new ByteSlice(input, (int) from, section.length());
        if (!section.isWhole(bytes)) {
            throw new IOException("the section is damaged");
        }
        return bytes;
    }

    private static void checkFooter(Footer footer) {
        assertThat(footer.start().file()).isEqualTo(ID);
    }

    // --- Start records, manifests, index files ---

    private static @Nullable StartRecord startRecord(byte[] input) {
        try {
            return StartRecord.decode(new ByteSlice(input).toByteBuffer());
        } catch (IOException e) {
            return null;
        }
    }

    private static void checkStart(StartRecord start) throws IOException {
        assertThat(StartRecord.decode(start.encode().toByteBuffer())).isEqualTo(start);
    }

    private static List<byte[]> manifests() {
        BitSet sequences = new BitSet();
        sequences.set(3, 6);
        sequences.set(9);
        Set<String> names = Set.of("days-0-00000000.journal", "days-0-00000001.journal");
        return List.of(
                new Manifest(
                                ImmutableSet.copyOf(names),
                                Map.of(new IndexFileName("days-1", 3, 9, 0xabcdef01), sequences))
                        .encode()
                        .toByteArray(),
                new Manifest(ImmutableSet.of(), Map.of()).encode().toByteArray(),
                ByteSlice.utf8("TGM1\ndays-0-00000000.journal\ndays-0-00000001.journal\nEND 2 8ca3ef85\n")
                        .toByteArray());
    }

    private static @Nullable Manifest manifest(byte[] input) {
        try {
            return Manifest.decode(new ByteSlice(input), "j/MANIFEST");
        } catch (IOException e) {
            return null;
        }
    }

    private static void checkManifest(Manifest manifest) throws IOException {
        assertThat(Manifest.decode(manifest.encode(), "j/MANIFEST")).isEqualTo(manifest);
    }

    private static byte[] index() {
        List<JournalFile> files = new ArrayList<>();
        for (int sequence = 3; sequence < 5; sequence++) {
            JournalFileId id = new JournalFileId(JOURNAL, "days-0", sequence);
            Map<TopicPartition, Footer.SealedPartition> sealed = new HashMap<>();
            sealed.put(
                    ONE,
                    new Footer.SealedPartition(
                            new PartitionExtent(ONE, EPOCH, 100L * sequence, 100L * sequence + 100, 5, 6, 4000, 7),
                            new Footer.Section(200, 30, 12345)));
            files.add(JournalFile.sealed(
                    id,
                    TAG,
                    new JournalFile.Sealed(
                            new Footer(
                                    5000,
                                    new StartRecord(id, 0, sequence == 3 ? start().ends() : Map.of()),
                                    sealed,
                                    new Footer.Section(300, 12, 54321)),
                            sequence == 3 ? id.path() : id.detachedFooterPath(),
                            77)));
        }
        return IndexFile.encode(files).content().toByteArray();
    }

    private static @Nullable List<JournalFile> indexed(byte[] input) {
        BytesStorage storage = new BytesStorage(Map.of(INDEX.path(JOURNAL), input));
        try {
            IndexFile index = IndexFile.read(storage, JOURNAL, INDEX);
            index.sequences();
            index.filesBut(new BitSet());
            index.mayBeExpired((partition, endOffset, lastTimeMs) -> false);
            try (JournalStorage.ReadFile file = index.open(storage)) {
                return index.files(file, index.partitions());
            }
        } catch (IOException e) {
            return null;
        }
    }
}
