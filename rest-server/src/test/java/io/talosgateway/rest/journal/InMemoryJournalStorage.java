package io.talosgateway.rest.journal;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;

import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;

/**
 * Journal files in memory. A crash loses what was not synced, a power cut what was not synced to disk; a fenced file takes no more
 * writes.
 */
public final class InMemoryJournalStorage implements JournalStorage {

    private final NavigableMap<String, File> files = new TreeMap<>();

    private static final class File {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int synced;
        private int onDisk;
        private boolean fenced;
    }

    /** Forgets what was written and not synced, and fences every writer. */
    public synchronized void crash() {
        files.replaceAll((path, file) -> {
            File after = new File();
            after.bytes.write(file.bytes.toByteArray(), 0, file.synced);
            after.synced = file.synced;
            after.onDisk = Math.min(file.onDisk, file.synced);
            file.fenced = true;
            return after;
        });
    }

    /** Forgets what was not synced to disk, of all files whoever wrote them, and fences every writer. */
    public synchronized void cutPower() {
        files.values().forEach(file -> file.synced = file.onDisk);
        crash();
    }

    @Override
    public synchronized AppendFile create(String path, long expectedBytes) throws IOException {
        if (files.containsKey(path)) {
            throw new FileAlreadyExistsException(path);
        }
        File file = new File();
        files.put(path, file);
        return new AppendFile() {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                synchronized (InMemoryJournalStorage.this) {
                    refuseFenced(file, path);
                    file.bytes.write(bytes, offset, length);
                }
            }

            @Override
            public void sync(Durability level) throws IOException {
                synchronized (InMemoryJournalStorage.this) {
                    refuseFenced(file, path);
                    file.synced = file.bytes.size();
                    if (level == Durability.DISK) {
                        file.onDisk = file.synced;
                    }
                }
            }

            @Override
            public Replication replication() {
                return Replication.ENOUGH;
            }

            @Override
            public void close() {}
        };
    }

    private static void refuseFenced(File file, String path) throws IOException {
        if (file.fenced) {
            throw new IOException(path + " is fenced");
        }
    }

    @Override
    public synchronized ReadFile open(String path) throws IOException {
        File file = existing(path);
        return new ReadFile() {
            @Override
            public int read(long position, byte[] bytes, int offset, int length) {
                synchronized (InMemoryJournalStorage.this) {
                    byte[] all = file.bytes.toByteArray();
                    int count = (int) Math.max(0, Math.min(length, all.length - position));
                    System.arraycopy(all, (int) Math.min(position, all.length), bytes, offset, count);
                    return count;
                }
            }

            @Override
            public long length() {
                synchronized (InMemoryJournalStorage.this) {
                    return file.bytes.size();
                }
            }

            @Override
            public void close() {}
        };
    }

    private File existing(String path) throws FileNotFoundException {
        File file = files.get(path);
        if (file == null) {
            throw new FileNotFoundException(path);
        }
        return file;
    }

    @Override
    public synchronized boolean exists(String path) {
        return files.containsKey(path);
    }

    @Override
    public synchronized List<StoredFile> list(String directory) {
        List<StoredFile> entries = new ArrayList<>();
        String prefix = directory + "/";
        files.forEach((path, file) -> {
            if (path.startsWith(prefix)) {
                String rest = path.substring(prefix.length());
                int slash = rest.indexOf('/');
                StoredFile entry = slash < 0
                        ? new StoredFile(rest, file.bytes.size(), false)
                        : new StoredFile(rest.substring(0, slash), 0, true);
                if (!entries.contains(entry)) {
                    entries.add(entry);
                }
            }
        });
        return entries;
    }

    @Override
    public synchronized boolean createWhole(String path, ByteSlice content) {
        File file = new File();
        file.bytes.write(content.array(), content.offset(), content.length());
        file.synced = content.length();
        file.onDisk = file.synced;
        return files.putIfAbsent(path, file) == null;
    }

    @Override
    public synchronized void delete(String path) {
        files.keySet().removeIf(name -> name.equals(path) || name.startsWith(path + "/"));
    }

    @Override
    public synchronized void fence(String path) {
        File file = files.get(path);
        if (file != null) {
            file.fenced = true;
        }
    }

    @Override
    public synchronized void force(String path) throws IOException {
        File file = existing(path);
        file.synced = file.bytes.size();
        file.onDisk = file.synced;
    }

    @Override
    public boolean truncateExclusive(String path, long length) {
        return false;
    }

    /** Replaces bytes of a file, as a failing disk would. */
    public synchronized void damage(String path, long position, byte[] garbage) {
        File file = Objects.requireNonNull(files.get(path));
        byte[] bytes = file.bytes.toByteArray();
        System.arraycopy(garbage, 0, bytes, (int) position, garbage.length);
        file.bytes.reset();
        file.bytes.writeBytes(bytes);
    }

    @Override
    public OptionalLong usableBytes() {
        return OptionalLong.empty();
    }

    @Override
    public String location() {
        return "memory";
    }

    @Override
    public void close() {}
}
