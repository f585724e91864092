package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;

/**
 * What the journal needs of a file system. Paths are relative to the root, with {@code /} between names. Implementations
 * are safe for use by any thread; a file is used by one thread at a time unless said otherwise. Every method may block.
 */
public interface JournalStorage extends AutoCloseable {

    /**
     * Creates a file for appending, and the directories above it.
     *
     * @param expectedBytes how long it will be, so that it can be stored in one piece; 0 if nobody knows
     * @throws IOException if the file exists, too
     */
    AppendFile create(String path, long expectedBytes) throws IOException;

    /** @throws java.io.FileNotFoundException if there is no such file */
    ReadFile open(String path) throws IOException;

    /**
     * As {@link #open}, without checksums of the storage: for a caller that checks what it reads, of a file whose checksums may not
     * match bytes that were forced.
     */
    default ReadFile openUnchecked(String path) throws IOException {
        return open(path);
    }

    boolean exists(String path) throws IOException;

    /** The files and directories directly in a directory, in no order; empty if there is no such directory. */
    List<StoredFile> list(String directory) throws IOException;

    /**
     * Creates a small file in one step: everybody, also after a power cut, sees the whole content or no file. Of several
     * writers the first succeeds.
     *
     * @return false if the file exists already, with whatever content
     */
    boolean createWhole(String path, ByteSlice content) throws IOException;

    /** Deletes a file, or a directory with what is in it; does nothing if there is none. */
    void delete(String path) throws IOException;

    /**
     * Makes sure that whoever had the file open for appending, alive or not, cannot append to it any more, and that its
     * length is final. May take seconds; does nothing for a file that is closed.
     */
    void fence(String path) throws IOException;

    /** Makes every byte of a fenced file durable: its writer may have written more than it synced. */
    void force(String path) throws IOException;

    /**
     * Cuts a file to {@code length}, durably, if no other process can be using the storage.
     *
     * @return false if others may use it: somebody may rely on what would be cut
     */
    boolean truncateExclusive(String path, long length) throws IOException;

    /** Bytes that can still be written, as far as the storage knows; empty if it does not. */
    OptionalLong usableBytes() throws IOException;

    /** Where this storage is, for messages. */
    String location();

    @Override
    void close() throws IOException;

    /** A name in a directory; the length of a file that is open for appending may lag behind. */
    record StoredFile(String name, long length, boolean directory) {}

    /**
     * Copies of what is being written.
     *
     * @param live those that a write reaches, as far as is known
     * @param wanted those that there should be
     */
    record Replication(int live, int wanted) {

        /** Of a storage that sees to it itself, or does not copy. */
        public static final Replication ENOUGH = new Replication(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    /** A file open for appending. Not safe for use by several threads. */
    interface AppendFile extends AutoCloseable {

        void write(byte[] bytes, int offset, int length) throws IOException;

        /** Returns when everything written so far has reached {@code level}. */
        void sync(Durability level) throws IOException;

        /** Asks nobody: how many copies the last sync reached. */
        Replication replication() throws IOException;

        /**
         * Bytes of a chunk with a checksum of its own. If more is written into a chunk, a power cut can take all of it, also what was
         * forced before. 1 if there are no chunks.
         */
        default int chunkBytes() {
            return 1;
        }

        /** Closes the file; what is not synced may or may not be there afterwards. */
        @Override
        void close() throws IOException;
    }

    /** A file open for reading at any position. Safe for use by several threads. */
    interface ReadFile extends AutoCloseable {

        /**
         * Reads up to {@code length} bytes at {@code position}.
         *
         * @return the number of bytes read; less than {@code length} only at the end of the file as far as it is visible
         */
        int read(long position, byte[] bytes, int offset, int length) throws IOException;

        /** Visible length when the file was opened; more may become visible. */
        long length() throws IOException;

        @Override
        void close() throws IOException;
    }
}
