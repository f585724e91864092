package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.journal.JournalStorage.Replication;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;

/** A journal file while it is written: for the lane's committer, then for the sealer. */
public final class OpenJournalFile {

    private final JournalFile file;
    private final FileIndex index;
    private final AppendFile out;
    private long position;
    private long committedPosition;
    private long diskPosition;
    private int missingReplicas;
    private volatile boolean ended;
    private final AtomicInteger failedEndings = new AtomicInteger();
    /** Guarded by this. */
    private boolean closed;

    private OpenJournalFile(JournalFile file, FileIndex index, AppendFile out, long position) {
        this.file = file;
        this.index = index;
        this.out = out;
        this.position = position;
    }

    /** Creates a file. */
    public static OpenJournalFile create(JournalStorage storage, StartRecord start, int tag, long expectedBytes)
            throws IOException {
        return withStart(start, tag, storage.create(start.file().path(), expectedBytes), 0);
    }

    /** The same file with another start behind the one that is all it holds. Takes the place of this object. */
    public OpenJournalFile startingAgain(StartRecord start) {
        return withStart(start, file.tag(), out, position);
    }

    private static OpenJournalFile withStart(StartRecord start, int tag, AppendFile out, long position) {
        FileIndex index = new FileIndex(start);
        return new OpenJournalFile(JournalFile.live(tag, index), index, out, position);
    }

    public void writeStart() throws IOException {
        ByteSlice body = index.start().encode();
        write(new FrameEncoder().other(FrameKind.START, file.tag(), body, 0));
        write(body);
    }

    public JournalFile file() {
        return file;
    }

    public FileIndex index() {
        return index;
    }

    /** Where the next frame goes. */
    public long position() {
        return position;
    }

    /** Everything below has reached the level that was asked for, and counts. */
    public long committedPosition() {
        return committedPosition;
    }

    /** Everything below is on disk, so that no power cut can take it away. */
    public long diskPosition() {
        return diskPosition;
    }

    public void write(ByteSlice bytes) throws IOException {
        out.write(bytes.array(), bytes.offset(), bytes.length());
        position += bytes.length();
    }

    /** Writes up to the end of a chunk, so that nothing that is written later can endanger what is forced now. */
    public void pad(FrameEncoder encoder) throws IOException {
        int chunkBytes = out.chunkBytes();
        int missing = Math.floorMod(-position, chunkBytes);
        if (missing > 0) {
            while (missing < FrameHeader.FIXED_BYTES) {
                missing += chunkBytes;
            }
            ByteSlice zeros = new ByteSlice(new byte[missing - FrameHeader.FIXED_BYTES]);
            write(encoder.other(FrameKind.PADDING, file.tag(), zeros, diskPosition));
            write(zeros);
        }
    }

    /**
     * Returns when everything written so far has reached a level, and counts from now on.
     *
     * @param minReplicas how many copies it must have
     */
    public void sync(Durability level, int minReplicas) throws IOException {
        out.sync(level);
        Replication replication = out.replication();
        missingReplicas = Math.max(0, replication.wanted() - replication.live());
        if (replication.live() < minReplicas) {
            throw new IOException("%s has %d of %d copies, and journal.min-replicas is %d"
                    .formatted(file, replication.live(), replication.wanted(), minReplicas));
        }
        committedPosition = position;
        if (level == Durability.DISK) {
            diskPosition = position;
        }
    }

    /** Copies that the last sync should have reached, and has not. */
    public int missingReplicas() {
        return missingReplicas;
    }

    /** True once the file, which has failed, is fenced, forced and has a footer. */
    public boolean isEnded() {
        return ended;
    }

    void setEnded() {
        ended = true;
    }

    /** Counts an attempt to end the file that failed. Returns how many have failed now. */
    int endingFailed() {
        return failedEndings.incrementAndGet();
    }

    int failedEndings() {
        return failedEndings.get();
    }

    /**
     * Closes the file, once: nothing that is still in a buffer is written by a later call. Safe for use by any thread, of which
     * none writes any more; others wait for the first.
     */
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            out.close();
        }
    }
}
