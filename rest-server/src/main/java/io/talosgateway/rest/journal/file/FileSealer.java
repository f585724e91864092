package io.talosgateway.rest.journal.file;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalThreads;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends files that a lane has left: writes the footer and closes them, off the lane's thread. A file that failed, or that
 * cannot be sealed, is fenced and gets its footer in a file beside it, which also says where its valid frames end.
 */
public final class FileSealer {

    private static final Logger log = LoggerFactory.getLogger(FileSealer.class);
    private static final long FIRST_RETRY_MS = 500;
    private static final long LAST_RETRY_MS = 30_000;
    /** What is sealed was acknowledged when it had enough. */
    private static final int ANY_REPLICAS = 0;

    private final JournalStorage storage;
    private final Consumer<JournalFile> sealed;
    private final JournalMetrics metrics;
    private final JournalThreads threads;
    /** Files that failed and are not ended yet. */
    private final AtomicInteger settling = new AtomicInteger();

    /** @param sealed told of each file that has its footer */
    public FileSealer(
            JournalStorage storage, Consumer<JournalFile> sealed, JournalMetrics metrics, JournalThreads threads) {
        this.storage = storage;
        this.sealed = sealed;
        this.metrics = metrics;
        this.threads = threads;
    }

    /** Seals a file whose frames are all durable, in the background. */
    public void sealLater(OpenJournalFile open) {
        threads.seal(() -> seal(open));
    }

    /** Ends a file that a write or sync failed in, in the background, trying until it succeeds. */
    public void settleLater(OpenJournalFile open) {
        settling.incrementAndGet();
        threads.seal(() -> settle(open, FIRST_RETRY_MS));
    }

    /** Whether a file that failed is not ended yet: it may hold what only a later file's start record voids. */
    public boolean isSettling() {
        return settling.get() > 0;
    }

    /**
     * Seals a file whose frames are all durable. The trailer is written when all before it is on disk: whoever sees one, even if
     * this host dies now, need not force the file.
     */
    public void seal(OpenJournalFile open) {
        try {
            long footerPosition = open.position();
            ByteSlice footer = Footer.encode(open.index(), footerPosition);
            ByteSlice header =
                    new FrameEncoder().other(FrameKind.FOOTER, open.file().tag(), footer, open.diskPosition());
            open.write(header);
            open.write(footer);
            open.sync(Durability.DISK, ANY_REPLICAS);
            open.write(new Trailer(open.file().tag(), footerPosition).encode());
            open.sync(Durability.DISK, ANY_REPLICAS);
            open.close();
            sealed(open.file(), footer, open.file().id().path(), footerPosition + header.length());
        } catch (IOException | RuntimeException e) {
            log.warn("Sealing {} failed ({}); it gets its footer in a file beside it", open.file(), e.toString());
            settling.incrementAndGet();
            settle(open, FIRST_RETRY_MS);
        }
    }

    /** A file that cannot be ended yet does not keep the others waiting. */
    private void settle(OpenJournalFile open, long retryMs) {
        if (trySettle(open)) {
            settling.decrementAndGet();
        } else {
            threads.sealLater(() -> settle(open, Math.min(retryMs * 2, LAST_RETRY_MS)), retryMs);
        }
    }

    /**
     * Ends a file that failed, for good, if it is not ended yet. Safe for use by any thread. Blocks.
     *
     * @return false if that has to be tried again
     */
    public boolean trySettle(OpenJournalFile open) {
        if (open.isEnded()) {
            return true;
        }
        closeQuietly(open);
        JournalFileId id = open.file().id();
        try {
            storage.fence(id.path());
            storage.force(id.path());
            if (!endBeside(open)) {
                log.warn("Another incarnation has ended {}", open.file());
                open.file().leaveToOthers();
            }
            open.setEnded();
            if (open.failedEndings() > 0) {
                log.warn("Ended {} after {} attempts that failed", open.file(), open.failedEndings());
            }
            return true;
        } catch (FileNotFoundException e) {
            log.warn("{} was deleted by another incarnation before it was ended", open.file());
            open.file().leaveToOthers();
            open.setEnded();
            return true;
        } catch (IOException | RuntimeException e) {
            if (open.endingFailed() == 1) {
                log.warn("Ending {} failed; trying again until it succeeds: {}", open.file(), e.toString());
            } else {
                log.debug("Ending {} failed again: {}", open.file(), e.toString());
            }
            return false;
        }
    }

    /**
     * Makes what is in a file that failed, behind its committed frames, void for good. Safe for use by any thread. Blocks.
     *
     * @return false if another incarnation has ended the file
     */
    public boolean undo(OpenJournalFile open) throws IOException {
        // First: closing may write again what a failed write has left in a buffer, and fails as that did.
        closeQuietly(open);
        return open.file().sealedIndex() != null
                || storage.truncateExclusive(open.file().id().path(), open.committedPosition())
                || endBeside(open);
    }

    private static void closeQuietly(OpenJournalFile open) {
        try {
            open.close();
        } catch (IOException | RuntimeException e) {
            log.debug("Closing {}, which has failed, failed", open.file(), e);
        }
    }

    /** The lane and the sealer may both do so: one of them writes the footer, the other finds it. */
    private boolean endBeside(OpenJournalFile open) throws IOException {
        synchronized (open.file()) {
            if (open.file().sealedIndex() != null) {
                return true;
            }
            if (open.committedPosition() > open.diskPosition() && !isWhole(open)) {
                // The next incarnation finds out what is left. This one's memory knows more than the storage.
                log.error("{} has lost messages of level memory: this incarnation ends", open.file());
                storage.delete(open.file().id().journal().openPath());
                return false;
            }
            return writeDetached(open.file(), open.index(), open.committedPosition());
        }
    }

    /** A power cut may have taken what was acknowledged and is not on disk, or may still. */
    private boolean isWhole(OpenJournalFile open) throws IOException {
        JournalFileId id = open.file().id();
        storage.fence(id.path());
        storage.force(id.path());
        try (JournalStorage.ReadFile file = storage.openUnchecked(id.path())) {
            return FileScanner.scan(id, file, false).dataEnd() >= open.committedPosition();
        }
    }

    /**
     * Writes the footer of a file that nobody appends to any more into a file beside it.
     *
     * @return false if it has one already: another incarnation was faster, and its footer is the one that counts
     */
    public boolean writeDetached(JournalFile file, FileIndex index, long dataEnd) throws IOException {
        ByteSlice footer = Footer.encode(index, dataEnd);
        ByteSlice header = new FrameEncoder().other(FrameKind.FOOTER, file.tag(), footer, 0);
        ByteSlice trailer = new Trailer(file.tag(), 0).encode();
        ByteArrayOutputStream content = new ByteArrayOutputStream(header.length() + footer.length() + trailer.length());
        content.write(header.array(), header.offset(), header.length());
        content.write(footer.array(), footer.offset(), footer.length());
        content.write(trailer.array(), trailer.offset(), trailer.length());
        String path = file.id().detachedFooterPath();
        ByteSlice whole = new ByteSlice(content.toByteArray());
        if (!storage.createWhole(path, whole) && !isThere(path, whole)) {
            return false;
        }
        sealed(file, footer, path, header.length());
        return true;
    }

    /** The answer to an earlier attempt may have been lost. */
    private boolean isThere(String path, ByteSlice content) throws IOException {
        try (JournalStorage.ReadFile file = storage.open(path)) {
            byte[] bytes = new byte[content.length()];
            return file.length() == bytes.length
                    && file.read(0, bytes, 0, bytes.length) == bytes.length
                    && content.toByteBuffer().equals(ByteBuffer.wrap(bytes));
        }
    }

    private void sealed(JournalFile file, ByteSlice footer, String path, long bodyPosition) throws IOException {
        file.seal(new JournalFile.Sealed(Footer.decode(footer.toByteBuffer()), path, bodyPosition));
        sealed.accept(file);
        metrics.fileSealed();
        log.info("Sealed {} ({} partitions)", file, file.partitions().size());
    }

    /** Waits for files that are being sealed; one that cannot be is left to the next start. */
    public void close() {
        threads.close();
    }
}
