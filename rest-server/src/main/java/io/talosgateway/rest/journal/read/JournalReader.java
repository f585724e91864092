package io.talosgateway.rest.journal.read;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.file.CorruptFrameException;
import io.talosgateway.rest.journal.file.FileIndex;
import io.talosgateway.rest.journal.file.Footer;
import io.talosgateway.rest.journal.file.Frame;
import io.talosgateway.rest.journal.file.FrameHeader;
import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.PartitionFrames;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.ByteSlice;

/**
 * Reads journal files through caches. A file is read in pages: the neighbours of a frame, which belong to other partitions
 * of the lane, are read with it, so that readers that follow all partitions read the file about once. Safe for use by any
 * thread; blocks for storage.
 */
public final class JournalReader {

    private final JournalStorage storage;
    private final OpenFileCache openFiles;
    private final int pageBytes;
    private final JournalMetrics metrics;
    private final PageCache<PageKey> pages;
    private final Cache<FramesKey, PartitionFrames> sealedFrames;

    public JournalReader(JournalStorage storage, JournalConfig config, JournalMetrics metrics) {
        this.storage = storage;
        this.openFiles = new OpenFileCache(storage);
        this.pageBytes = config.readPageSize().toBytesInt();
        this.metrics = metrics;
        this.pages = new PageCache<>(config.readAheadCacheSize().toBytes());
        this.sealedFrames = Caffeine.newBuilder()
                .maximumWeight(config.indexCacheSize().toBytes())
                .weigher((FramesKey key, PartitionFrames frames) -> frames.memoryBytes())
                .executor(Runnable::run)
                .build();
        metrics.watchCache("read-ahead", pages::bytes);
        metrics.watchCache("index", () -> weight(sealedFrames));
    }

    private static long weight(Cache<?, ?> cache) {
        return cache.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    private record PageKey(JournalFileId file, long number) {}

    private record FramesKey(JournalFileId file, TopicPartition partition) {}

    /** The frames of a partition that the file holds some of. */
    public PartitionFrames frames(JournalFile file, TopicPartition partition) throws IOException {
        FileIndex live = file.liveIndex();
        if (live != null) {
            return Objects.requireNonNull(live.frames(partition));
        }
        FramesKey key = new FramesKey(file.id(), partition);
        PartitionFrames frames = sealedFrames.getIfPresent(key);
        if (frames == null) {
            JournalFile.Sealed sealed = Objects.requireNonNull(file.sealedIndex());
            Footer.SealedPartition section =
                    Objects.requireNonNull(sealed.footer().partitions().get(partition));
            frames = Footer.decodeFrames(readSection(file, sealed, section.frames()), section);
            sealedFrames.put(key, frames);
        }
        return frames;
    }

    /** The last puts of a file that had idempotency keys, oldest first. */
    public List<KeyedPut> keyedPuts(JournalFile file) throws IOException {
        FileIndex live = file.liveIndex();
        if (live != null) {
            return live.keyedPuts();
        }
        JournalFile.Sealed sealed = Objects.requireNonNull(file.sealedIndex());
        Footer.Section section = sealed.footer().keyedPuts();
        return section.length() == 0 ? List.of() : Footer.decodeKeyedPuts(readSection(file, sealed, section));
    }

    private ByteSlice readSection(JournalFile file, JournalFile.Sealed sealed, Footer.Section section)
            throws IOException {
        return twiceIfCorrupt(file, sealed.path(), () -> {
            long position = sealed.bodyPosition() + section.position();
            ByteSlice bytes = readFully(sealed.path(), position, section.length());
            if (!section.isWhole(bytes)) {
                throw new CorruptFrameException(file, position, "a section of the footer is damaged");
            }
            return bytes;
        });
    }

    /** Reads and checks the frame at a position that the index gave. */
    public Frame readFrame(JournalFile file, long position) throws IOException {
        return twiceIfCorrupt(file, file.id().path(), () -> readFrameOnce(file, position));
    }

    private interface Reading<T> {
        T read() throws IOException;
    }

    /** Damaged bytes may have been read, and kept, while the host with the whole replica was away: they are read anew. */
    private <T> T twiceIfCorrupt(JournalFile file, String path, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (CorruptFrameException e) {
            forget(file.id());
            openFiles.forget(path);
            return reading.read();
        }
    }

    private Frame readFrameOnce(JournalFile file, long position) throws IOException {
        ByteSlice fixed = read(file, position, FrameHeader.FIXED_BYTES);
        int headerLength = FrameHeader.headerLength(fixed.toByteBuffer());
        if (headerLength < 0) {
            throw new CorruptFrameException(file, position, "there is no frame");
        }
        ByteSlice bytes = headerLength == fixed.length() ? fixed : read(file, position, headerLength);
        FrameHeader header = FrameHeader.decode(bytes.toByteBuffer(), file.tag());
        if (header == null) {
            throw new CorruptFrameException(file, position, "the header of a frame is damaged");
        }
        ByteSlice body = read(file, position + headerLength, header.bodyLength());
        if (FrameHeader.checksum(body.toByteBuffer(), 0, body.length()) != header.bodyChecksum()) {
            throw new CorruptFrameException(file, position, "the messages of a frame are damaged");
        }
        return new Frame(header, body);
    }

    private ByteSlice read(JournalFile file, long position, int length) throws IOException {
        if (length > 2 * pageBytes) {
            return readFully(file.id().path(), position, length);
        }
        long number = position / pageBytes;
        int from = (int) (position % pageBytes);
        int inFirst = Math.min(length, pageBytes - from);
        ByteSlice first = page(file, number, from + inFirst).slice(from, inFirst);
        if (inFirst == length) {
            return first;
        }
        byte[] joined = Arrays.copyOf(first.toByteArray(), length);
        for (int done = inFirst; done < length; ) {
            int count = Math.min(length - done, pageBytes);
            number++;
            System.arraycopy(page(file, number, count).array(), 0, joined, done, count);
            done += count;
        }
        return new ByteSlice(joined);
    }

    /** The page, or as much of it as is visible, at least {@code needed} bytes. One caller reads it, others that want it meanwhile wait. */
    private ByteSlice page(JournalFile file, long number, int needed) throws IOException {
        PageKey key = new PageKey(file.id(), number);
        while (true) {
            CompletableFuture<ByteSlice> mine = new CompletableFuture<>();
            CompletableFuture<ByteSlice> other = pages.putIfAbsent(key, mine);
            if (other == null) {
                return load(key, needed, mine);
            }
            try {
                ByteSlice page = other.join();
                if (page.length() >= needed) {
                    metrics.pageHit();
                    return page;
                }
            } catch (CompletionException e) {
                // Whoever read it failed, and told its caller: try for ourselves.
            }
            // The file has grown since this page was read.
            pages.remove(key, other);
        }
    }

    private ByteSlice load(PageKey key, int needed, CompletableFuture<ByteSlice> result) throws IOException {
        try {
            byte[] bytes = new byte[pageBytes];
            int read = readCounted(key.file.path(), key.number * pageBytes, bytes, pageBytes);
            if (read < needed) {
                throw new EOFException(
                        "%s ends before position %d".formatted(key.file, key.number * pageBytes + needed));
            }
            ByteSlice page = new ByteSlice(read == pageBytes ? bytes : Arrays.copyOf(bytes, read));
            pages.complete(key, result, page);
            return page;
        } catch (IOException | RuntimeException e) {
            pages.remove(key, result);
            result.completeExceptionally(e);
            throw e;
        }
    }

    private ByteSlice readFully(String path, long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        if (readCounted(path, position, bytes, length) < length) {
            throw new EOFException(
                    "%s in %s ends before position %d".formatted(path, storage.location(), position + length));
        }
        return new ByteSlice(bytes);
    }

    private int readCounted(String path, long position, byte[] bytes, int length) throws IOException {
        long startedAtNanos = metrics.nanoTime();
        int read = openFiles.read(path, position, bytes, length);
        metrics.storageRead(Math.max(read, 0), startedAtNanos);
        return read;
    }

    /** The file has ended: whoever opened it before may see less than there is. */
    public void forgetOpenFile(JournalFile file) {
        openFiles.forget(file.id().path());
    }

    /** The file is gone: lets go of what is kept of it. */
    public void forget(JournalFileId file) {
        openFiles.forget(file.path());
        pages.removeIf(key -> key.file.equals(file));
        sealedFrames.asMap().keySet().removeIf(key -> key.file.equals(file));
    }

    public void close() {
        openFiles.close();
    }
}
