package io.talosgateway.rest.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import io.talosgateway.rest.config.PrivateFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keys in a JSON file that only its owner can read. A gateway looks at the file again when it has changed, so
 * that keys can be added and removed while it runs; on several hosts the file is the same, like a mounted secret. Signing
 * needs the secret itself, so the file holds secrets, not hashes of them.
 */
public final class KeyFile implements KeyStore {

    private static final Logger log = LoggerFactory.getLogger(KeyFile.class);
    /** Refuses a field that it does not know: a limit that is misspelt would be none. */
    private static final ObjectMapper MAPPER = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private static final long CHECK_INTERVAL_MS = 1_000;

    private final Path file;
    private final InstantSource clock;
    private final AtomicLong checkedAtMs = new AtomicLong();
    private volatile Loaded loaded = Loaded.NOTHING;

    private record Document(List<KeyJson> keys) {}

    /** @param broken why the file could not be read; null if it could */
    private record Loaded(
            FileTime modified,
            long size,
            Map<String, AccessKey> keys,
            @Nullable String broken) {

        static final Loaded NOTHING = new Loaded(FileTime.fromMillis(0), -1, Map.of(), null);
    }

    public KeyFile(Path file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    /**
     * Reads the file for the first time.
     *
     * @throws IOException with a sentence for the operator if it cannot be read
     */
    public void load() throws IOException {
        synchronized (this) {
            loaded = loadIfChanged(Loaded.NOTHING);
            if (loaded.broken != null) {
                throw new IOException(loaded.broken);
            }
        }
        try {
            if (PrivateFiles.isOpenToOthers(file)) {
                log.warn("Everybody on this machine can read the keys in {}: chmod 600 it", file);
            }
        } catch (NoSuchFileException e) {
            log.warn("There is no key file {} yet: nobody can do anything until 'key create' makes one", file);
        }
    }

    @Override
    public @Nullable AccessKey find(String id) {
        AccessKey key = loaded.keys.get(id);
        // A key that was just made works at once; one that was taken away, a second later.
        if (key == null || isDue()) {
            reload();
            key = loaded.keys.get(id);
        }
        return key;
    }

    /** All keys, in the order of the file. */
    public Collection<AccessKey> all() {
        if (isDue()) {
            reload();
        }
        return loaded.keys.values();
    }

    /** Why the file cannot be read, while the keys read before stay valid; null if it can. */
    public @Nullable String whyBroken() {
        if (isDue()) {
            reload();
        }
        return loaded.broken;
    }

    private boolean isDue() {
        long nowMs = clock.millis();
        long lastMs = checkedAtMs.get();
        return (nowMs - lastMs >= CHECK_INTERVAL_MS || nowMs < lastMs) && checkedAtMs.compareAndSet(lastMs, nowMs);
    }

    private synchronized void reload() {
        Loaded before = loaded;
        Loaded now = loadIfChanged(before);
        loaded = now;
        if (now.broken != null && !now.broken.equals(before.broken)) {
            log.error(
                    "The key file cannot be read; the keys read before stay valid, also those removed since: {}",
                    now.broken);
        }
    }

    private Loaded loadIfChanged(Loaded before) {
        FileTime modified;
        long size;
        try {
            modified = Files.getLastModifiedTime(file);
            size = Files.size(file);
        } catch (NoSuchFileException e) {
            return Loaded.NOTHING;
        } catch (IOException e) {
            return new Loaded(FileTime.fromMillis(0), -1, before.keys, file + " cannot be read: " + e);
        }
        if (modified.equals(before.modified) && size == before.size) {
            return before;
        }
        try {
            Map<String, AccessKey> keys = new LinkedHashMap<>();
            read(file).forEach(key -> keys.put(key.id(), key));
            log.info("Keys in {}: {}", file, keys.size());
            return new Loaded(modified, size, Collections.unmodifiableMap(keys), null);
        } catch (IOException e) {
            // The same file is not read again.
            return new Loaded(modified, size, before.keys, e.getMessage());
        }
    }

    /**
     * All keys, in order of creation; none if there is no file.
     *
     * @throws IOException with a sentence for the user if it is not a key file
     */
    public static List<AccessKey> read(Path file) throws IOException {
        try {
            return decode(Files.readAllBytes(file), file);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    /** The keys in a file with this content. */
    static List<AccessKey> decode(byte[] content, Path file) throws IOException {
        try {
            Document document = MAPPER.readValue(content, Document.class);
            List<KeyJson> keys = document == null ? null : document.keys;
            if (keys == null || keys.contains(null)) {
                throw new IOException(file + " is not a key file: it has no list of keys");
            }
            return keys.stream().map(KeyJson::toKey).toList();
        } catch (UnrecognizedPropertyException e) {
            throw new IOException(
                    "%s is not a key file: keys have no field '%s'".formatted(file, e.getPropertyName()), e);
        } catch (JsonProcessingException e) {
            // Not Jackson's words: they may quote a secret.
            JsonLocation place = e.getLocation();
            throw new IOException(
                    "%s is not a key file: it is wrong at line %d, column %d"
                            .formatted(
                                    file,
                                    place == null ? 0 : place.getLineNr(),
                                    place == null ? 0 : place.getColumnNr()),
                    e);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is not a key file: " + e.getMessage(), e);
        }
    }

    /** The same as {@link #add} for a key without limits. */
    public static AccessKey create(Path file, @Nullable String owner, boolean admin, InstantSource clock)
            throws IOException {
        return add(file, new NewKey(owner, null, admin, KeySettings.DEFAULT), clock);
    }

    /**
     * Makes a key, and adds it to the file, which is created readable by its owner only. As with all changes, several threads and
     * processes may do so at once.
     *
     * @throws IOException with a sentence for the user
     */
    public static AccessKey add(Path file, NewKey wanted, InstantSource clock) throws IOException {
        AccessKey key = wanted.make(clock.millis());
        update(file, keys -> {
            keys.add(key);
            return key;
        });
        return key;
    }

    /**
     * Changes a key of the file.
     *
     * @return the key after the change
     * @throws IOException with a sentence for the user, also if there is no such key
     */
    public static AccessKey change(Path file, String id, UnaryOperator<AccessKey> change) throws IOException {
        return update(file, keys -> {
            int index = indexOf(file, keys, id);
            AccessKey changed = change.apply(keys.get(index));
            keys.set(index, changed);
            return changed;
        });
    }

    /** Removes a key from the file. Throws what {@link #change} throws. */
    public static AccessKey delete(Path file, String id) throws IOException {
        return update(file, keys -> keys.remove(indexOf(file, keys, id)));
    }

    private static int indexOf(Path file, List<AccessKey> keys, String id) throws IOException {
        for (int index = 0; index < keys.size(); index++) {
            if (keys.get(index).id().equals(id)) {
                return index;
            }
        }
        throw new IOException("There is no key '%s' in %s".formatted(id, file));
    }

    private interface Change {
        AccessKey apply(List<AccessKey> keys) throws IOException;
    }

    private static synchronized AccessKey update(Path file, Change change) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            PrivateFiles.createDirectories(directory);
        }
        Path lockFile = file.resolveSibling(file.getFileName() + ".lock");
        try (FileChannel channel = PrivateFiles.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            log.debug("Locked {} with {}", lockFile, lock);
            List<AccessKey> keys = new ArrayList<>(read(file));
            AccessKey changed = change.apply(keys);
            replace(
                    file,
                    MAPPER.writeValueAsBytes(
                            new Document(keys.stream().map(KeyJson::of).toList())));
            return changed;
        }
    }

    private static void replace(Path file, byte[] content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(temporary);
        try (FileChannel channel =
                PrivateFiles.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
