package io.talosgateway.rest.journal.file;

import java.io.FileNotFoundException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.wire.message.ByteSlice;

/** Files that are read only, each an array. */
record BytesStorage(Map<String, byte[]> files) implements JournalStorage {

    /** An array as a file. */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    record Bytes(byte[] content) implements ReadFile {
        @Override
        public int read(long position, byte[] bytes, int offset, int length) {
            int count = (int) Math.max(0, Math.min(length, content.length - position));
            System.arraycopy(content, (int) Math.min(position, content.length), bytes, offset, count);
            return count;
        }

        @Override
        public long length() {
            return content.length;
        }

        @Override
        public void close() {}
    }

    @Override
    public ReadFile open(String path) throws FileNotFoundException {
        byte[] content = files.get(path);
        if (content == null) {
            throw new FileNotFoundException(path);
        }
        return new Bytes(content);
    }

    @Override
    public boolean exists(String path) {
        return files.containsKey(path);
    }

    @Override
    public String location() {
        return "memory";
    }

    @Override
    public void close() {}

    // --- Not by readers ---

    @Override
    public AppendFile create(String path, long expectedBytes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<StoredFile> list(String directory) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean createWhole(String path, ByteSlice content) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void delete(String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void fence(String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void force(String path) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean truncateExclusive(String path, long length) {
        throw new UnsupportedOperationException();
    }

    @Override
    public OptionalLong usableBytes() {
        throw new UnsupportedOperationException();
    }
}
