package io.talosgateway.rest.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;

import io.talosgateway.fuzz.FuzzTarget;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** The file with the keys. */
public final class KeyFileTargets {

    /** A secret of one letter is in any text. */
    private static final int SECRET_LENGTH = 8;

    private KeyFileTargets() {}

    public static List<FuzzTarget<?>> all() {
        try {
            return List.of(FuzzTarget.of("key-file", seeds(), KeyFileTargets::keys)
                    .checked(keys -> assertThat(keys)
                            .allMatch(key -> key.secret().length() < SECRET_LENGTH
                                    || !key.toString().contains(key.secret())))
                    .allocating(256, 512 * 1024));
        } catch (IOException e) {
            throw new AssertionError("there is no room for a temporary file", e);
        }
    }

    private static @Nullable List<AccessKey> keys(byte[] input) {
        try {
            return KeyFile.decode(input, Path.of("keys.json"));
        } catch (IOException e) {
            return null;
        }
    }

    private static List<byte[]> seeds() throws IOException {
        Path file = Files.createTempDirectory("fuzz-keys").resolve("keys.json");
        KeyFile.create(file, "alice", true, InstantSource.system());
        byte[] one = Files.readAllBytes(file);
        KeyFile.create(file, null, false, InstantSource.system());
        byte[] two = Files.readAllBytes(file);
        for (String name : List.of("keys.json", "keys.json.lock")) {
            Files.deleteIfExists(file.resolveSibling(name));
        }
        Files.delete(file.getParent());
        return List.of(one, two, "{\"keys\":[]}".getBytes(StandardCharsets.US_ASCII));
    }
}
