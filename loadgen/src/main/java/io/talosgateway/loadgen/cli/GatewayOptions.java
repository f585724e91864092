package io.talosgateway.loadgen.cli;

import java.net.URI;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say which gateway, and whose key. */
public final class GatewayOptions {

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
                "Default: the key in $" + Credentials.VARIABLE + ", as ID:SECRET; without it, no key is sent."
            })
    private @Nullable Path keyFile;

    public URI uri() {
        return endpoint;
    }

    /** Null to send none. */
    public @Nullable Credentials credentials() {
        return Credentials.choose(keyFile, variable());
    }

    /** Takes the key of the quickstart's gateway if the user has named none. */
    public void guessKey() {
        if (keyFile == null && variable() == null) {
            keyFile = Quickstart.keyFile();
        }
    }

    private static @Nullable String variable() {
        return System.getenv(Credentials.VARIABLE);
    }
}
