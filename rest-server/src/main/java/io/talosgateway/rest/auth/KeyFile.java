package io.talosgateway.rest.auth;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
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
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(SerializationFeature.INDENT_OUTPUT);
    private static final String ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final int ID_LENGTH = 16;
    private static final int SECRET_LENGTH = 40;
    private static final long CHECK_INTERVAL_MS = 1_000;

    private final Path file;
    private final InstantSource clock;
    private final AtomicLong checkedAtMs = new AtomicLong();
    private volatile Loaded loaded = Loaded.NOTHING;

    private record Document(List<AccessKey> keys) {}

    private record Loaded(FileTime modified, long size, Map<String, AccessKey> keys) {
        static final Loaded NOTHING = new Loaded(FileTime.fromMillis(0), -1, Map.of());
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
        }
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
                log.warn("Everybody on this machine can read the keys in {}: chmod 600 it", file);
            }
        } catch (NoSuchFileException e) {
            log.warn("There is no key file {} yet: nobody can do anything until 'key create' makes one", file);
        } catch (UnsupportedOperationException e) {
            log.debug("This file system has no permissions to look at", e);
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

    private boolean isDue() {
        long nowMs = clock.millis();
        long lastMs = checkedAtMs.get();
        return (nowMs - lastMs >= CHECK_INTERVAL_MS || nowMs < lastMs) && checkedAtMs.compareAndSet(lastMs, nowMs);
    }

    private synchronized void reload() {
        Loaded before = loaded;
        try {
            loaded = loadIfChanged(before);
        } catch (IOException e) {
            log.error("The key file cannot be read; the keys read before stay valid: {}", e.getMessage());
        }
    }

    private Loaded loadIfChanged(Loaded before) throws IOException {
        FileTime modified;
        long size;
        try {
            modified = Files.getLastModifiedTime(file);
            size = Files.size(file);
        } catch (NoSuchFileException e) {
            return Loaded.NOTHING;
        }
        if (modified.equals(before.modified) && size == before.size) {
            return before;
        }
        // Whatever comes of it: the same file is not read again.
        loaded = new Loaded(modified, size, before.keys);
        Map<String, AccessKey> keys = read(file).stream()
                .collect(Collectors.toUnmodifiableMap(AccessKey::id, Function.identity(), (a, b) -> b));
        log.info("Keys in {}: {}", file, keys.size());
        return new Loaded(modified, size, keys);
    }

    /**
     * All keys, in order of creation; none if there is no file.
     *
     * @throws IOException with a sentence for the user if it is not a key file
     */
    public static List<AccessKey> read(Path file) throws IOException {
        try {
            List<AccessKey> keys = MAPPER.readValue(Files.readAllBytes(file), Document.class).keys;
            if (keys == null || !keys.stream().allMatch(KeyFile::isComplete)) {
                throw new IOException(file + " is not a key file: every key needs an id, a secret and an owner");
            }
            return keys;
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is not a key file: " + e.getOriginalMessage(), e);
        }
    }

    private static boolean isComplete(AccessKey key) {
        // A file may leave out anything.
        return Stream.of(key.id(), key.secret(), key.owner()).allMatch(text -> text != null && !text.isBlank());
    }

    /**
     * Makes a key with a random id and secret, and adds it to the file, which is created readable by its owner only.
     * Several threads and processes may do so at once.
     *
     * @param owner principal, or null for one named after the key
     */
    public static synchronized AccessKey create(Path file, @Nullable String owner, boolean admin, InstantSource clock)
            throws IOException {
        SecureRandom random = new SecureRandom();
        String id = "TG" + randomText(random, ID_LENGTH);
        AccessKey key = new AccessKey(
                id, randomText(random, SECRET_LENGTH), owner == null ? id : owner, null, admin, clock.millis());
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        Path lockFile = file.resolveSibling(file.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            log.debug("Locked {} with {}", lockFile, lock);
            List<AccessKey> keys = new ArrayList<>(read(file));
            keys.add(key);
            replace(file, MAPPER.writeValueAsBytes(new Document(keys)));
        }
        return key;
    }

    private static void replace(Path file, byte[] content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            channel.write(java.nio.ByteBuffer.wrap(content));
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static String randomText(SecureRandom random, int length) {
        StringBuilder text = new StringBuilder(length);
        for (int index = 0; index < length; index++) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }
}
