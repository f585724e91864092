package io.talosgateway.rest.journal;

import java.io.IOException;

import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;

/** A journal file while it is written: for the lane's committer, then for the sealer. */
final class OpenJournalFile {

    private final JournalFile file;
    private final FileIndex index;
    private final AppendFile out;
    private final long openedAtMs;
    private long position;
    private long durablePosition;

    private OpenJournalFile(JournalFile file, FileIndex index, AppendFile out, long position) {
        this.file = file;
        this.index = index;
        this.out = out;
        this.openedAtMs = index.start().createdAtMs();
        this.position = position;
    }

    /** Creates a file. */
    static OpenJournalFile create(JournalStorage storage, StartRecord start, int tag, long expectedBytes)
            throws IOException {
        return withStart(start, tag, storage.create(start.file().path(), expectedBytes), 0);
    }

    /** The same file with another start behind the one that is all it holds. Takes the place of this object. */
    OpenJournalFile startingAgain(StartRecord start) {
        return withStart(start, file.tag(), out, position);
    }

    private static OpenJournalFile withStart(StartRecord start, int tag, AppendFile out, long position) {
        FileIndex index = new FileIndex(start);
        return new OpenJournalFile(JournalFile.live(tag, index), index, out, position);
    }

    void writeStart() throws IOException {
        ByteSlice body = index.start().encode();
        write(new FrameEncoder().other(FrameKind.START, file.tag(), body, 0));
        write(body);
    }

    JournalFile file() {
        return file;
    }

    FileIndex index() {
        return index;
    }

    long openedAtMs() {
        return openedAtMs;
    }

    /** Where the next frame goes. */
    long position() {
        return position;
    }

    /** Everything below is durable. */
    long durablePosition() {
        return durablePosition;
    }

    void write(ByteSlice bytes) throws IOException {
        out.write(bytes.array(), bytes.offset(), bytes.length());
        position += bytes.length();
    }

    void sync(Durability level) throws IOException {
        out.sync(level);
        durablePosition = position;
    }

    void close() throws IOException {
        out.close();
    }
}
