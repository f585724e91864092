package io.talosgateway.rest.journal.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import io.talosgateway.rest.config.PrivateFiles;
import io.talosgateway.rest.journal.StorageFailures;
import org.jspecify.annotations.Nullable;

/** Keeps a second process off a local root. The operating system releases the lock when the process ends, however it does. */
final class LocalRootLock {

    private static final String NAME = "LOCK";

    private final FileChannel channel;

    private LocalRootLock(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws IOException with a sentence for the operator if the root is in use, or is not a writable directory */
    static LocalRootLock acquire(Path root, LocalDirectories.Force force) throws IOException {
        Path file = root.resolve(NAME);
        Path madeIn = LocalDirectories.existing(root);
        FileChannel channel;
        try {
            PrivateFiles.createDirectories(root);
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            LocalDirectories.forceWithParents(root, madeIn, force);
        } catch (IOException e) {
            throw new IOException(
                    ("Cannot write to the data folder %s (%s). Name a folder of this user's in storage.root, or give it "
                                    + "the folder.")
                            .formatted(root, StorageFailures.reason(e)),
                    e);
        }
        if (tryLock(channel) == null) {
            String owner = read(channel);
            channel.close();
            throw new IOException(
                    ("The data folder %s is in use by another gateway%s. Stop that one first, or name another folder in "
                                    + "storage.root.")
                            .formatted(root, owner.isEmpty() ? "" : " (process " + owner + ")"));
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        return new LocalRootLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // held by this process
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(20);
        channel.read(text, 0);
        return new String(text.array(), 0, text.position(), StandardCharsets.US_ASCII).trim();
    }

    void release() throws IOException {
        channel.close();
    }
}
