package io.talosgateway.rest.hosting;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;

import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.StorageFullException;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/**
 * Files that many hosts share, with what HDFS promises and no more: names are durable at once; bytes that were not flushed are
 * partly there after their writer's end; bytes that were not synced are partly there, in any order, after a power cut of all
 * DataNodes, which may also take what was synced of a chunk into which more was written. For one thread.
 */
final class SimulatedHdfs {

    private static final int CHUNK_BYTES = 512;
    static final int REPLICAS = 3;

    private final Random random;
    private final NavigableMap<String, File> files = new TreeMap<>();

    SimulatedHdfs(Random random) {
        this.random = random;
    }

    private static final class File {
        private byte[] bytes = new byte[1024];
        private int written;
        private int flushed;
        private int synced;
        /** Who may write; null once it is closed. */
        private @Nullable Object lease;

        private void write(byte[] from, int offset, int length) {
            if (written + length > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, written + length));
            }
            System.arraycopy(from, offset, bytes, written, length);
            written += length;
        }

        private void force() {
            synced = flushed;
        }
    }

    /** All DataNodes lose their page caches, and all open streams. */
    void powerCut() {
        for (File file : files.values()) {
            int kept = file.synced + random.nextInt(file.flushed - file.synced + 1);
            for (int page = file.synced; page < kept; page += CHUNK_BYTES) {
                if (random.nextInt(3) == 0) {
                    Arrays.fill(file.bytes, page, Math.min(kept, page + CHUNK_BYTES), (byte) 0);
                }
            }
            if (file.flushed > file.synced && kept / CHUNK_BYTES == file.synced / CHUNK_BYTES && random.nextBoolean()) {
                // The checksum of the last chunk is of other bytes: its DataNode cuts it off.
                kept = kept / CHUNK_BYTES * CHUNK_BYTES;
            }
            file.written = kept;
            file.flushed = kept;
            file.synced = kept;
            if (file.lease != null) {
                file.lease = new Object();
            }
        }
    }

    /** The highest number with which a name in a directory begins. */
    long highestIn(String directory) {
        String prefix = directory + "/";
        return files.tailMap(prefix).keySet().stream()
                .filter(path -> path.startsWith(prefix))
                .mapToLong(path -> Long.parseLong(path.substring(prefix.length(), path.indexOf('-', prefix.length()))))
                .max()
                .orElse(0);
    }

    /** As an operator might, by mistake. */
    void deleteAll() {
        files.clear();
    }

    /** What one process sees, and what goes wrong for it. */
    final class View implements JournalStorage {

        /** How likely an operation is to fail. */
        double trouble;
        /** Nothing can be created or written. */
        boolean full;

        /** What is left of the pipelines of open files. */
        int replicas = REPLICAS;

        Runnable beforeSync = () -> {};

        private void before() throws IOException {
            if (trouble > 0 && random.nextDouble() < trouble / 2) {
                throw new IOException("injected");
            }
        }

        /** What was done is done; its answer is lost. */
        private void after() throws IOException {
            if (trouble > 0 && random.nextDouble() < trouble / 2) {
                throw new IOException("injected, after it was done");
            }
        }

        private void refuseIfFull() throws IOException {
            if (full) {
                throw new StorageFullException("injected", new IOException("no room"));
            }
        }

        private File existing(String path) throws FileNotFoundException {
            File file = files.get(path);
            if (file == null) {
                throw new FileNotFoundException(path);
            }
            return file;
        }

        @Override
        public AppendFile create(String path, long expectedBytes) throws IOException {
            before();
            refuseIfFull();
            if (files.containsKey(path)) {
                throw new FileAlreadyExistsException(path);
            }
            File file = new File();
            Object lease = new Object();
            file.lease = lease;
            files.put(path, file);
            after();
            return new Stream(path, file, lease);
        }

        private final class Stream implements AppendFile {

            private final String path;
            private final File file;
            private final Object lease;
            private boolean failed;

            Stream(String path, File file, Object lease) {
                this.path = path;
                this.file = file;
                this.lease = lease;
            }

            /** A stream that has failed once fails for ever. */
            private void require() throws IOException {
                if (failed || file.lease != lease || files.get(path) != file) {
                    failed = true;
                    throw new IOException(path + " cannot be written any more");
                }
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                require();
                try {
                    before();
                    refuseIfFull();
                } catch (IOException e) {
                    file.write(bytes, offset, random.nextInt(length + 1));
                    failed = true;
                    throw e;
                }
                file.write(bytes, offset, length);
            }

            @Override
            public void sync(Durability level) throws IOException {
                beforeSync.run();
                require();
                try {
                    before();
                    file.flushed = file.written;
                    if (level == Durability.DISK) {
                        file.force();
                    }
                    after();
                } catch (IOException e) {
                    failed = true;
                    throw e;
                }
            }

            @Override
            public Replication replication() {
                return new Replication(replicas, REPLICAS);
            }

            @Override
            public int chunkBytes() {
                return CHUNK_BYTES;
            }

            @Override
            public void close() throws IOException {
                require();
                before();
                file.flushed = file.written;
                file.lease = null;
                after();
            }
        }

        @Override
        public ReadFile open(String path) throws IOException {
            before();
            File file = existing(path);
            return new ReadFile() {
                @Override
                public int read(long position, byte[] bytes, int offset, int length) throws IOException {
                    before();
                    int count = (int) Math.max(0, Math.min(length, file.flushed - position));
                    System.arraycopy(file.bytes, (int) Math.min(position, file.flushed), bytes, offset, count);
                    return count;
                }

                @Override
                public long length() {
                    return file.flushed;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public boolean exists(String path) throws IOException {
            before();
            return files.containsKey(path);
        }

        @Override
        public List<StoredFile> list(String directory) throws IOException {
            before();
            List<StoredFile> entries = new ArrayList<>();
            String prefix = directory + "/";
            files.tailMap(prefix).forEach((path, file) -> {
                if (path.startsWith(prefix)) {
                    String rest = path.substring(prefix.length());
                    int slash = rest.indexOf('/');
                    StoredFile entry = slash < 0
                            ? new StoredFile(rest, file.flushed, false)
                            : new StoredFile(rest.substring(0, slash), 0, true);
                    if (!entries.contains(entry)) {
                        entries.add(entry);
                    }
                }
            });
            return entries;
        }

        @Override
        public boolean createWhole(String path, ByteSlice content) throws IOException {
            before();
            refuseIfFull();
            File file = new File();
            file.write(content.array(), content.offset(), content.length());
            file.flushed = file.written;
            file.force();
            boolean created = files.putIfAbsent(path, file) == null;
            after();
            return created;
        }

        @Override
        public void delete(String path) throws IOException {
            before();
            files.keySet().removeIf(name -> name.equals(path) || name.startsWith(path + "/"));
            after();
        }

        @Override
        public void fence(String path) throws IOException {
            before();
            File file = files.get(path);
            if (file != null && file.lease != null) {
                file.flushed += random.nextInt(file.written - file.flushed + 1);
                file.written = file.flushed;
                file.lease = null;
            }
            after();
        }

        @Override
        public void force(String path) throws IOException {
            before();
            existing(path).force();
            after();
        }

        @Override
        public boolean truncateExclusive(String path, long length) {
            return false;
        }

        @Override
        public OptionalLong usableBytes() {
            return OptionalLong.empty();
        }

        @Override
        public String location() {
            return "simulated HDFS";
        }

        @Override
        public void close() {}
    }
}
