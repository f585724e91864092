package io.talosgateway.rest.journal;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/** Any storage, with faults of the test's choosing in front of it. */
public final class FaultyStorage implements JournalStorage {

    private final JournalStorage storage;
    public final AtomicInteger createsToFail = new AtomicInteger();
    public final AtomicInteger writesToFail = new AtomicInteger();
    public final AtomicInteger syncsToFail = new AtomicInteger();
    /** A sync that reaches the storage and loses its reply. */
    public final AtomicInteger syncRepliesToLose = new AtomicInteger();

    public final AtomicInteger undosToFail = new AtomicInteger();
    /** Whole files that are made, and the reply is lost. */
    public final AtomicInteger wholeRepliesToLose = new AtomicInteger();

    /** A mistake of the gateway, which a sync comes upon. */
    public volatile @Nullable RuntimeException bug;

    volatile @Nullable IOException failure;
    public volatile @Nullable CountDownLatch holdSyncs;
    /** Syncs that have come to {@link #holdSyncs}. */
    public final AtomicInteger syncsHeld = new AtomicInteger();

    public volatile @Nullable CountDownLatch holdDeletes;
    /** Deletes that have come to {@link #holdDeletes}. */
    public final AtomicInteger deletesHeld = new AtomicInteger();

    /** Of all files, in place of the storage's. */
    public volatile @Nullable Replication replication;

    public volatile OptionalLong usable = OptionalLong.empty();

    public FaultyStorage(JournalStorage storage) {
        this.storage = storage;
    }

    public void failEverything(IOException reason) {
        failure = reason;
        createsToFail.set(Integer.MAX_VALUE);
        writesToFail.set(Integer.MAX_VALUE);
        syncsToFail.set(Integer.MAX_VALUE);
    }

    public void heal() {
        createsToFail.set(0);
        writesToFail.set(0);
        syncsToFail.set(0);
        syncRepliesToLose.set(0);
        undosToFail.set(0);
        wholeRepliesToLose.set(0);
    }

    private void failIf(AtomicInteger toFail) throws IOException {
        if (toFail.getAndUpdate(left -> left == Integer.MAX_VALUE ? left : Math.max(0, left - 1)) > 0) {
            IOException reason = failure;
            throw reason == null ? new IOException("injected") : reason;
        }
    }

    @Override
    public AppendFile create(String path, long expectedBytes) throws IOException {
        failIf(createsToFail);
        AppendFile file = storage.create(path, expectedBytes);
        return new AppendFile() {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                failIf(writesToFail);
                file.write(bytes, offset, length);
            }

            @Override
            public void sync(Durability level) throws IOException {
                CountDownLatch hold = holdSyncs;
                if (hold != null) {
                    syncsHeld.incrementAndGet();
                    try {
                        hold.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                }
                RuntimeException mistake = bug;
                if (mistake != null) {
                    throw mistake;
                }
                failIf(syncsToFail);
                file.sync(level);
                failIf(syncRepliesToLose);
            }

            @Override
            public Replication replication() throws IOException {
                Replication of = replication;
                return of == null ? file.replication() : of;
            }

            @Override
            public int chunkBytes() {
                return file.chunkBytes();
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    @Override
    public ReadFile open(String path) throws IOException {
        return storage.open(path);
    }

    @Override
    public ReadFile openUnchecked(String path) throws IOException {
        return storage.openUnchecked(path);
    }

    @Override
    public boolean exists(String path) throws IOException {
        return storage.exists(path);
    }

    @Override
    public List<StoredFile> list(String directory) throws IOException {
        return storage.list(directory);
    }

    @Override
    public boolean createWhole(String path, ByteSlice content) throws IOException {
        failIf(undosToFail);
        boolean created = storage.createWhole(path, content);
        failIf(wholeRepliesToLose);
        return created;
    }

    @Override
    public void delete(String path) throws IOException {
        CountDownLatch held = holdDeletes;
        if (held != null) {
            deletesHeld.incrementAndGet();
            try {
                held.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }
        storage.delete(path);
    }

    @Override
    public void fence(String path) throws IOException {
        storage.fence(path);
    }

    @Override
    public void force(String path) throws IOException {
        storage.force(path);
    }

    @Override
    public boolean truncateExclusive(String path, long length) throws IOException {
        failIf(undosToFail);
        return storage.truncateExclusive(path, length);
    }

    @Override
    public OptionalLong usableBytes() throws IOException {
        return usable.isPresent() ? usable : storage.usableBytes();
    }

    @Override
    public String location() {
        return storage.location();
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
