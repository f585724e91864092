package io.talosgateway.loadgen.plan;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

import io.talosgateway.loadgen.cli.GatewayOptions;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.Tls;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say where the load goes. */
public final class TargetOptions {

    @Mixin
    private GatewayOptions gateway = new GatewayOptions();

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
        return gateway.uri();
    }

    /** Which servers that speak TLS are trusted. */
    public Tls trust() {
        return Tls.trusting(authorities, insecure);
    }

    public Target target() {
        return new Target(
                Endpoint.of(gateway.uri(), trust()),
                gateway.credentials(),
                topics,
                partitions,
                !noCreate,
                newConnections);
    }

    /** Takes the key of the quickstart's gateway if the user has named none. */
    public void guessKey() {
        gateway.guessKey();
    }
}
