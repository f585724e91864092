package io.talosgateway.benchmarks.ideal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.loadgen.process.Lifetime;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.http.HttpServer;
import org.eclipse.jetty.server.handler.ErrorHandler;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The least that a gateway on our lanes and our HTTP server can do: read the body, append it to a lane, answer when it is
 * durable. No routes, no credentials, no message format, no idempotency, no deadlines, no scheduler, no metrics of requests. Its rate is the ceiling
 * for the gateway on the same storage.
 */
@Command(
        name = "ideal-gateway",
        description = "Stores every request body in the gateway's journal, and does nothing else.",
        mixinStandardHelpOptions = true)
public final class IdealGateway implements Callable<Integer> {

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = "A configuration value of the gateway: storage.root, journal.durability, journal.lanes, "
                    + "http.port and what else concerns its HTTP port, journal and storage. May be repeated.")
    private Map<String, String> values = new LinkedHashMap<>();

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "120", description = "Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--no-storage", description = "Answer at once, without storing: the floor of the latency.")
    private boolean noStorage;

    @Option(names = "--with-parent", description = "End when standard input does.")
    private boolean withParent;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new IdealGateway()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        GatewayConfig config = GatewayConfig.of(values);
        LaneStore lanes = noStorage ? null : new LaneStore(config, partitions);
        HttpServer server = new HttpServer("ideal", config.http(), null, System::nanoTime);
        server.start(
                new IdealHandler(lanes == null ? CompletableFuture::completedFuture : lanes::store),
                new ErrorHandler());
        System.out.printf("serves at http://%s:%d%n", config.http().host(), server.port());
        Lifetime.live(withParent, () -> {
            server.stop();
            if (lanes != null) {
                lanes.close();
            }
        });
        return 0;
    }
}
