package io.talosgateway.rest.journal.read;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps files open for reading between reads: opening one costs a call to the NameNode. Bounded in number; a file that is
 * pushed out is closed after its last read. Safe for use by any thread.
 */
final class OpenFileCache {

    private static final Logger log = LoggerFactory.getLogger(OpenFileCache.class);
    private static final int MAX_OPEN = 256;

    private final JournalStorage storage;
    private final Cache<String, Counted> files = Caffeine.newBuilder()
            .maximumSize(MAX_OPEN)
            .expireAfterAccess(1, TimeUnit.MINUTES)
            .executor(Runnable::run)
            .<String, Counted>removalListener((path, file, cause) -> {
                if (file != null) {
                    file.release();
                }
            })
            .build();

    OpenFileCache(JournalStorage storage) {
        this.storage = storage;
    }

    /** An open file and how many use it, the cache included. */
    private static final class Counted {

        private final String path;
        private final ReadFile file;
        private int uses = 1;

        Counted(String path, ReadFile file) {
            this.path = path;
            this.file = file;
        }

        synchronized boolean retain() {
            if (uses == 0) {
                return false;
            }
            uses++;
            return true;
        }

        synchronized void release() {
            uses--;
            if (uses == 0) {
                try {
                    file.close();
                } catch (IOException e) {
                    log.debug("closing {} after reading failed", path, e);
                }
            }
        }
    }

    /** Reads up to {@code length} bytes; less only at the end of what is visible now. */
    int read(String path, long position, byte[] bytes, int length) throws IOException {
        int read = readOnce(path, position, bytes, length);
        if (read < length) {
            // More may have become visible since the file was opened.
            files.invalidate(path);
            read = readOnce(path, position, bytes, length);
        }
        return read;
    }

    void forget(String path) {
        files.invalidate(path);
    }

    private int readOnce(String path, long position, byte[] bytes, int length) throws IOException {
        Counted file = acquire(path);
        try {
            return file.file.read(position, bytes, 0, length);
        } catch (IOException e) {
            files.asMap().remove(path, file);
            throw e;
        } finally {
            file.release();
        }
    }

    private Counted acquire(String path) throws IOException {
        while (true) {
            Counted file;
            try {
                file = files.get(path, this::open);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            if (file.retain()) {
                return file;
            }
            files.asMap().remove(path, file);
        }
    }

    private Counted open(String path) {
        try {
            return new Counted(path, storage.open(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void close() {
        files.invalidateAll();
    }
}
