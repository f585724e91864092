package io.talosgateway.rest.journal.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;

import com.google.common.collect.ImmutableSet;
import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.journal.recovery.JournalCatalog;
import io.talosgateway.rest.journal.recovery.JournalRecovery;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which footers are believed, of files that are still written and of files whose writer has died. */
public final class FooterReaderTest {

    private static final int TAG = 0x1234abcd;
    private static final int GUESSED_TAG = 7;
    private static final JournalId JOURNAL = new JournalId("gw-1", 7);
    private static final JournalFileId ID = new JournalFileId(JOURNAL, "days-0", 3);
    private static final JournalFileId OTHER = new JournalFileId(JOURNAL, "days-0", 4);
    private static final TopicPartition PARTITION = new TopicPartition(JournalFixture.TOPIC, 5);

    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();
    private final FrameEncoder encoder = new FrameEncoder();
    private final JournalRecovery recovery = recovery();

    private JournalRecovery recovery() {
        JournalMetrics metrics = new JournalMetrics(new CollectorRegistry(), () -> 0);
        JournalConfig config = JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), DataSize.ofKiB(64));
        FileSealer sealer = new FileSealer(
                storage, new JournalReader(storage, config, metrics)::forgetOpenFile, metrics, new OwnJournalThreads());
        return new JournalRecovery(storage, sealer, new IndexHeads(storage), new FilesAtOnce(Runnable::run), false);
    }

    /** A block whose bytes end in a footer and a trailer, whose tag is a guess: all else a client can work out. */
    public static MessageBatch forged(JournalFileId file, long position) throws IOException {
        long footerAt = position + FrameHeader.FIXED_BYTES + FrameHeader.BLOCK_BYTES;
        ByteSlice payload = new ByteSlice(sealed(file, FrameKind.FOOTER, GUESSED_TAG, GUESSED_TAG, footerAt));
        return new MessageBatch(List.of(new MessageBlock(1, 0, payload, 1, ByteSlice.EMPTY)));
    }

    /** A footer that says that offsets 0 to 999 are in the file, and a trailer. */
    private static byte[] sealed(JournalFileId named, FrameKind kind, int frameTag, int trailerTag, long position)
            throws IOException {
        FileIndex index = new FileIndex(new StartRecord(named, 1, Map.of()));
        index.add(PARTITION, OwnerEpoch.NONE.next(), 100, 0, 1000, 1, 1);
        ByteSlice body = Footer.encode(index, position);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(new FrameEncoder().other(kind, frameTag, body, 0).toByteArray());
        out.write(body.toByteArray());
        out.write(new Trailer(trailerTag, position).encode().toByteArray());
        return out.toByteArray();
    }

    @Test
    void footerOfTheFileIsBelieved() throws IOException {
        file(1, sealed(ID, FrameKind.FOOTER, TAG, TAG, startLength()));
        assertThat(liveFiles())
                .singleElement()
                .satisfies(
                        file -> assertThat(file.extent(PARTITION).endOffset()).isEqualTo(1000));
    }

    @Test
    void footerBehindTwoStartsIsBelieved() throws IOException {
        file(2, sealed(ID, FrameKind.FOOTER, TAG, TAG, 2 * startLength()));
        assertThat(liveFiles()).hasSize(1);
    }

    @Test
    void forgedFooterInALiveFileIsNotBelieved() throws IOException {
        put(forged(ID, startLength()));
        assertThat(liveFiles()).isEmpty();
    }

    @Test
    void forgedFooterInALiveFileWithTwoStartsIsNotBelieved() throws IOException {
        MessageBatch batch = forged(ID, 2 * startLength());
        file(2, frame(batch));
        assertThat(liveFiles()).isEmpty();
    }

    @Test
    void forgedFooterInACrashedFileIsAMessage() throws IOException {
        put(forged(ID, startLength()));
        recovery.recover(JOURNAL, JournalCatalog.EMPTY, done -> {});
        assertThat(new FooterReader(storage).beside(ID).extent(PARTITION).endOffset())
                .isEqualTo(1);
    }

    @Test
    void frameOfAnotherKindIsNoFooter() throws IOException {
        file(1, sealed(ID, FrameKind.MESSAGES, TAG, TAG, startLength()));
        assertThat(liveFiles()).isEmpty();
    }

    @Test
    void footerThatNamesAnotherFileIsNotBelieved() throws IOException {
        file(1, sealed(OTHER, FrameKind.FOOTER, TAG, TAG, startLength()));
        assertThat(liveFiles()).isEmpty();
    }

    @Test
    void footerBesideTheFileIsBelieved() throws IOException {
        file(1, new byte[0]);
        beside(sealed(ID, FrameKind.FOOTER, TAG, TAG, 0));
        assertThat(liveFiles()).hasSize(1);
    }

    /** It held nothing when it was scanned, so the footer's tag is none. */
    @Test
    void footerBesideAFileWithoutAStartIsBelieved() throws IOException {
        storage.create(ID.path(), 0).close();
        recovery.recover(JOURNAL, JournalCatalog.EMPTY, done -> {});
        assertThat(new FooterReader(storage).beside(ID).partitions()).isEmpty();
    }

    /** Its header tells a tag, but nothing in it counts, so the footer has none. */
    @Test
    void footerBesideAFileWithATornStartIsBelieved() throws IOException {
        byte[] header = encoder.other(FrameKind.START, TAG, startBody(), 0).toByteArray();
        try (AppendFile file = storage.create(ID.path(), 0)) {
            write(file, header);
            write(file, new byte[startBody().length() - 1]);
        }
        recovery.recover(JOURNAL, JournalCatalog.EMPTY, done -> {});
        assertThat(new FooterReader(storage).beside(ID).partitions()).isEmpty();
    }

    @Test
    void footerBesideTheFileThatHasAnotherTagIsRefused() throws IOException {
        file(1, new byte[0]);
        beside(sealed(ID, FrameKind.FOOTER, GUESSED_TAG, GUESSED_TAG, 0));
        assertRefusedBeside();
    }

    @Test
    void footerBesideTheFileThatNamesAnotherIsRefused() throws IOException {
        file(1, new byte[0]);
        beside(sealed(OTHER, FrameKind.FOOTER, TAG, TAG, 0));
        assertRefusedBeside();
    }

    private void assertRefusedBeside() {
        assertThatThrownBy(this::liveFiles)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(ID.detachedFooterPath())
                .hasMessageContaining("is not the footer of " + ID);
        assertThatThrownBy(() -> recovery.recover(JOURNAL, JournalCatalog.EMPTY, done -> {}))
                .hasMessageContaining("is not the footer of " + ID);
    }

    /** The writer made the other file after the first had listed them. What was read after that has to stay true. */
    @Test
    void secondRecoveryTakesTheListOfTheFirst() throws IOException {
        file(1, new byte[0]);
        try (AppendFile file = storage.create(OTHER.path(), 0)) {
            ByteSlice start = new StartRecord(OTHER, 2, Map.of()).encode();
            write(file, encoder.other(FrameKind.START, TAG, start, 0).toByteArray());
            write(file, start.toByteArray());
        }
        ByteSlice first = new Manifest(ImmutableSet.of(ID.name()), Map.of()).encode();

        JournalCatalog second = recovery.recover(
                JOURNAL, JournalCatalog.EMPTY, done -> storage.createWhole(JOURNAL.manifestPath(), first));

        assertThat(second.loose()).extracting(JournalFile::id).containsExactly(ID);
        assertThat(second.indexed()).isEmpty();
        assertThat(storage.exists(OTHER.path())).isFalse();
    }

    /** Or its messages would be missing for whoever adopts it, as if it were not sealed yet. */
    @Test
    void sealedFileOfAnotherVersionIsRefused() throws IOException {
        file(1, sealed(ID, FrameKind.FOOTER, TAG, TAG, startLength()));
        storage.damage(ID.path(), 3, new byte[] {'2'});
        assertThatThrownBy(this::liveFiles).hasMessageContaining("its format is 2, this one reads 1");
    }

    @Test
    void footerOfAnotherVersionBesideTheFileIsRefused() throws IOException {
        file(1, new byte[0]);
        beside(sealed(ID, FrameKind.FOOTER, TAG, TAG, 0));
        storage.damage(ID.detachedFooterPath(), 3, new byte[] {'2'});
        assertThatThrownBy(this::liveFiles).hasMessageContaining("its format is 2, this one reads 1");
    }

    @Test
    void fileThatStartsAsAnotherIsNotScanned() throws IOException {
        file(1, new byte[0]);
        try (ReadFile file = storage.open(ID.path())) {
            assertThatThrownBy(() -> FileScanner.scan(OTHER, file, true)).hasMessageContaining("is another file");
        }
    }

    private List<JournalFile> liveFiles() throws IOException {
        return recovery.sealedFiles(JOURNAL, JournalCatalog.EMPTY).loose();
    }

    private static long startLength() {
        return (long) FrameHeader.FIXED_BYTES + startBody().length();
    }

    private static ByteSlice startBody() {
        return new StartRecord(ID, 1, Map.of()).encode();
    }

    private void put(MessageBatch batch) throws IOException {
        file(1, frame(batch));
    }

    private byte[] frame(MessageBatch batch) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(encoder.messages(TAG, PARTITION, OwnerEpoch.NONE, 0, 1, 0, batch, null, 0)
                .toByteArray());
        out.write(batch.blocks().get(0).data().toByteArray());
        return out.toByteArray();
    }

    private void file(int starts, byte[] then) throws IOException {
        try (AppendFile file = storage.create(ID.path(), 0)) {
            for (int start = 0; start < starts; start++) {
                write(file, encoder.other(FrameKind.START, TAG, startBody(), 0).toByteArray());
                write(file, startBody().toByteArray());
            }
            write(file, then);
        }
    }

    private static void write(AppendFile file, byte[] bytes) throws IOException {
        file.write(bytes, 0, bytes.length);
    }

    private void beside(byte[] bytes) {
        storage.createWhole(ID.detachedFooterPath(), new ByteSlice(bytes));
    }
}
