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

    OpenJournalFile(JournalFile file, FileIndex index, AppendFile out, long openedAtMs) {
        this.file = file;
        this.index = index;
        this.out = out;
        this.openedAtMs = openedAtMs;
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
