package io.talosgateway.cli;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which gateway to talk to, and as whom. */
final class ClientOptions {

    static final String KEY_VARIABLE = "TALOS_KEY";

    @Option(
            names = {"-e", "--endpoint"},
            paramLabel = "URL",
            defaultValue = "${env:TALOS_ENDPOINT:-http://127.0.0.1:8080}",
            description = "Address of the gateway. Default: $TALOS_ENDPOINT, or http://127.0.0.1:8080.")
    private URI endpoint = URI.create("http://127.0.0.1:8080");

    @Option(
            names = {"-k", "--key-file"},
            paramLabel = "FILE",
            description = {
                "Key file of a gateway, of which the first key is used.",
                "Default: the key in $" + KEY_VARIABLE
                        + ", as ID:SECRET; without it, the key file of the configuration."
            })
    private @Nullable Path keyFile;

    @Mixin
    private ConfigOptions config = new ConfigOptions();

    GatewayClient client() throws IOException {
        String[] key = key();
        try {
            return GatewayClient.builder(endpoint).key(key[0], key[1]).build();
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * The Authorization header of HTTP Basic.
     *
     * @param key id and secret
     */
    static String basic(String[] key) {
        byte[] pair = (key[0] + ":" + key[1]).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    /** The keys of the cluster of that gateway. */
    ClusterKeys clusterKeys() throws IOException {
        return new ClusterKeys(endpoint, key());
    }

    /** The key file that is named, or else that of the configuration. */
    Path keyFile() {
        return keyFile == null ? config.config().auth().keyFile() : keyFile;
    }

    private String[] key() throws IOException {
        String[] named = namedKey(keyFile);
        return named == null ? firstKey(keyFile()) : named;
    }

    /**
     * Id and secret of the key that the user has named.
     *
     * @param keyFile named by an option; null for none
     * @return null if there is neither such a file nor the variable
     */
    static String @Nullable [] namedKey(@Nullable Path keyFile) throws IOException {
        if (keyFile != null) {
            return firstKey(keyFile);
        }
        String variable = System.getenv(KEY_VARIABLE);
        if (variable == null || variable.isBlank()) {
            return null;
        }
        int colon = variable.indexOf(':');
        if (colon < 1) {
            throw new CommandFailure("$" + KEY_VARIABLE + " must be ID:SECRET");
        }
        return new String[] {
            variable.substring(0, colon), variable.substring(colon + 1).trim()
        };
    }

    private static String[] firstKey(Path file) throws IOException {
        List<AccessKey> keys = KeyFile.read(file);
        if (keys.isEmpty()) {
            throw new CommandFailure(
                    "There is no key in %s. Set $%s to ID:SECRET, or name the gateway's key file with --key-file."
                            .formatted(file, KEY_VARIABLE));
        }
        return new String[] {keys.get(0).id(), keys.get(0).secret()};
    }

    /** Waits for an answer. */
    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GatewayClientException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted", e);
        }
    }
}
