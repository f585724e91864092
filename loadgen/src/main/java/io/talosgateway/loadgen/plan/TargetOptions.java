package io.talosgateway.loadgen.plan;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.Quickstart;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.Tls;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say where the load goes. */
public final class TargetOptions {

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

    @Option(
            names = {"-t", "--topic"},
            paramLabel = "TOPIC",
            split = ",",
            defaultValue = "loadgen",
            description = {
                "The topic, which is made if it is not there. Default: ${DEFAULT-VALUE}.",
                "Several, as in a,b: the threads go through the partitions of the first, then through those of the next."
            })
    private List<String> topics = List.of();

    @Option(
            names = {"-p", "--partitions"},
            paramLabel = "N",
            defaultValue = "120",
            description =
                    "How many partitions of each topic are used; it needs at least as many. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--no-create",
            description = "Do not look whether the topic is there, nor make it. For servers that only take puts.")
    private boolean noCreate;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "Certificates to trust, in PEM, for an https address. Default: those that Java trusts.")
    private @Nullable Path authorities;

    @Option(names = "--tls-insecure", description = "Trust any certificate, for an https address.")
    private boolean insecure;

    @Option(
            names = "--new-connections",
            description =
                    "A new connection for each request, and the time to make it counts. Default: connections are kept.")
    private boolean newConnections;

    public URI uri() {
        return endpoint;
    }

    /** Which servers that speak TLS are trusted. */
    public Tls trust() {
        return Tls.trusting(authorities, insecure);
    }

    public Target target() {
        return new Target(
                Endpoint.of(endpoint, trust()),
                Credentials.choose(keyFile, variable()),
                topics,
                partitions,
                !noCreate,
                newConnections);
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
