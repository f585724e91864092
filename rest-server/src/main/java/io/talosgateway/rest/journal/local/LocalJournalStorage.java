package io.talosgateway.rest.journal.local;

import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.StorageFailures;
import io.talosgateway.rest.journal.StorageFullException;
import io.talosgateway.rest.journal.WholeFile;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Journal files on a local disk: one process at a time, held by a lock on the root, which is private to this user.
 *
 * <p>A new name survives a power cut only if its directory was forced, and the directories above it.
 */
public final class LocalJournalStorage implements JournalStorage {

    private static final Logger log = LoggerFactory.getLogger(LocalJournalStorage.class);
    private static final int MOST_BUFFER_BYTES = 1 << 20;

    /** Another thread may delete the same. */
    private static final FileVisitor<Path> DELETING = new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    };

    private final URI location;
    private final Path root;
    private final LocalRootLock lock;
    private final LocalDirectories.Force force;

    private LocalJournalStorage(URI location, Path root, LocalRootLock lock, LocalDirectories.Force force) {
        this.location = location;
        this.root = root;
        this.lock = lock;
        this.force = force;
    }

    /**
     * Makes the root directory and locks it.
     *
     * @param root {@code file:///path}
     * @throws IOException with a sentence for the operator if the storage cannot be used
     */
    public static LocalJournalStorage open(URI root) throws IOException {
        return open(root, LocalDirectories::force);
    }

    static LocalJournalStorage open(URI root, LocalDirectories.Force force) throws IOException {
        Path directory = Path.of(root);
        return new LocalJournalStorage(root, directory, LocalRootLock.acquire(directory, force), force);
    }

    /** Something that may fail in the ways of a disk. */
    @FunctionalInterface
    private interface DiskCall<T> {
        T call() throws IOException;
    }

    /** Makes the exceptions that {@link JournalStorage} names of those that files throw, and gives each a reason. */
    private static <T> T call(DiskCall<T> call) throws IOException {
        try {
            return call.call();
        } catch (NoSuchFileException e) {
            FileNotFoundException missing = new FileNotFoundException(e.getMessage());
            missing.initCause(e);
            throw missing;
        } catch (AccessDeniedException e) {
            throw new IOException(e.getMessage() + ": permission denied", e);
        } catch (IOException e) {
            throw StorageFailures.isFullDisk(e) ? new StorageFullException(StorageFailures.firstLine(e), e) : e;
        }
    }

    private static FileChannel channel(Path file, OpenOption... options) throws IOException {
        return call(() -> FileChannel.open(file, options));
    }

    private Path path(String name) {
        return root.resolve(name);
    }

    @Override
    public AppendFile create(String name, long expectedBytes) throws IOException {
        Path file = path(name);
        call(() -> Files.createDirectories(file.getParent()));
        FileChannel channel = channel(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            forceDirectories(file);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        long bufferBytes = expectedBytes == 0 ? MOST_BUFFER_BYTES : Math.min(MOST_BUFFER_BYTES, expectedBytes);
        return new LocalAppendFile(channel, (int) bufferBytes);
    }

    @Override
    public ReadFile open(String name) throws IOException {
        return new LocalReadFile(channel(path(name), StandardOpenOption.READ));
    }

    @Override
    public boolean exists(String name) {
        return Files.exists(path(name));
    }

    @Override
    public List<StoredFile> list(String directory) throws IOException {
        try {
            return call(() -> entries(path(directory)));
        } catch (FileNotFoundException | NotDirectoryException e) {
            return List.of();
        }
    }

    private static List<StoredFile> entries(Path directory) throws IOException {
        List<StoredFile> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                try {
                    BasicFileAttributes attributes = Files.readAttributes(entry, BasicFileAttributes.class);
                    files.add(new StoredFile(
                            entry.getFileName().toString(), attributes.size(), attributes.isDirectory()));
                } catch (NoSuchFileException e) {
                    log.debug("{} was deleted while its directory was listed", entry, e);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    @Override
    public boolean createWhole(String name, ByteSlice content) throws IOException {
        return WholeFile.create(this, this::renameIfAbsent, name, content);
    }

    /** The system would replace a file, but there are no writers but this process. */
    private synchronized boolean renameIfAbsent(String from, String to) throws IOException {
        boolean absent = !exists(to);
        if (absent) {
            call(() -> Files.move(path(from), path(to), StandardCopyOption.ATOMIC_MOVE));
        }
        forceDirectories(path(to));
        return absent;
    }

    @Override
    public void delete(String name) throws IOException {
        call(() -> Files.walkFileTree(path(name), DELETING));
    }

    /** There is no writer but this process, which holds the lock on the root. */
    @Override
    public void fence(String name) {}

    @Override
    public void force(String name) throws IOException {
        try (FileChannel channel = channel(path(name), StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Override
    public boolean truncateExclusive(String name, long length) throws IOException {
        try (FileChannel channel = channel(path(name), StandardOpenOption.WRITE)) {
            channel.truncate(length);
            channel.force(true);
        }
        return true;
    }

    @Override
    public OptionalLong usableBytes() throws IOException {
        return OptionalLong.of(Files.getFileStore(root).getUsableSpace());
    }

    @Override
    public String location() {
        return location.toString();
    }

    @Override
    public void close() throws IOException {
        lock.release();
    }

    private void forceDirectories(Path file) throws IOException {
        for (Path directory = file.getParent();
                directory != null && directory.startsWith(root);
                directory = directory.getParent()) {
            force.force(directory);
        }
    }

    private static final class LocalAppendFile implements AppendFile {

        private final FileChannel channel;
        private final OutputStream out;

        LocalAppendFile(FileChannel channel, int bufferBytes) {
            this.channel = channel;
            out = new BufferedOutputStream(Channels.newOutputStream(channel), bufferBytes);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            call(() -> {
                out.write(bytes, offset, length);
                return out;
            });
        }

        @Override
        public void sync(Durability level) throws IOException {
            call(() -> {
                out.flush();
                if (level == Durability.DISK) {
                    // Its length, too: without that, its bytes could not be read.
                    channel.force(false);
                }
                return out;
            });
        }

        @Override
        public Replication replication() {
            return Replication.ENOUGH;
        }

        @Override
        public void close() throws IOException {
            call(() -> {
                out.close();
                return out;
            });
        }
    }

    private static final class LocalReadFile implements ReadFile {

        private final FileChannel channel;

        LocalReadFile(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(long position, byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            int done = 0;
            while (buffer.hasRemaining()) {
                int read = channel.read(buffer, position + done);
                if (read < 0) {
                    break;
                }
                done += read;
            }
            return done;
        }

        @Override
        public long length() throws IOException {
            return channel.size();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
