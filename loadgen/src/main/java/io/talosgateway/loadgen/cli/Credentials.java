package io.talosgateway.loadgen.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Base64;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/** A key's id and secret. */
public record Credentials(String id, String secret) {

    /** The environment variable that may hold them. */
    public static final String VARIABLE = "TALOS_KEY";

    /**
     * The key to use: the file's first, else the variable's, else none.
     *
     * @param variable the value of {@link #VARIABLE}
     * @throws LoadFailure if there is no key where one should be
     */
    public static @Nullable Credentials choose(@Nullable Path keyFile, @Nullable String variable) {
        if (keyFile != null) {
            return ofFile(keyFile);
        }
        return variable == null || variable.isBlank() ? null : parse(variable.trim());
    }

    private static Credentials parse(String pair) {
        int colon = pair.indexOf(':');
        if (colon < 1 || colon == pair.length() - 1) {
            throw new LoadFailure("$" + VARIABLE + " must be ID:SECRET");
        }
        return new Credentials(pair.substring(0, colon), pair.substring(colon + 1));
    }

    private static Credentials ofFile(Path file) {
        try {
            JsonNode key = new ObjectMapper()
                    .readTree(Files.readAllBytes(file))
                    .path("keys")
                    .path(0);
            String id = key.path("id").asText();
            String secret = key.path("secret").asText();
            if (id.isEmpty() || secret.isEmpty()) {
                throw new LoadFailure("There is no key in " + file);
            }
            return new Credentials(id, secret);
        } catch (NoSuchFileException e) {
            throw new LoadFailure("There is no key file " + file, e);
        } catch (JsonProcessingException e) {
            throw new LoadFailure(file + " is not a key file: it is not JSON", e);
        } catch (IOException e) {
            throw new LoadFailure("The key file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }

    public String authorization() {
        byte[] pair = (id + ":" + secret).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "Credentials[id=" + id + "]";
    }
}
