package io.talosgateway.benchmarks.ideal;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.process.Lifetime;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.http.HttpThreads;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The least that a gateway on our lanes can do: read the body, append it to a lane, answer when it is durable. No routes, no
 * credentials, no message format, no idempotency, no deadlines, no scheduler, no metrics of requests. Its rate is the ceiling
 * for the gateway on the same storage.
 */
@Command(
        name = "ideal-gateway",
        description = "Stores every request body in the gateway's journal, and does nothing else.",
        mixinStandardHelpOptions = true)
public final class IdealGateway implements Callable<Integer> {

    private static final int IO_BUFFER_BYTES = 32 * 1024;

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
        Server server = server(config, new IdealHandler(lanes == null ? (body, stored) -> stored.accept(null) : lanes));
        server.start();
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        System.out.printf("serves at http://%s:%d%n", config.http().host(), port);
        Lifetime.live(withParent, () -> {
            server.stop();
            if (lanes != null) {
                lanes.close();
            }
        });
        return 0;
    }

    /** As the gateway makes it, without what it adds. */
    private static Server server(GatewayConfig config, IdealHandler handler) throws IOException {
        Server server = new Server(new HttpThreads("ideal", config.http().threads()));
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setInputBufferSize(IO_BUFFER_BYTES);
        http.setHeaderCacheSize(0);
        ServerConnector connector = new ServerConnector(server, 1, -1, new HttpConnectionFactory(http));
        connector.setHost(config.http().host());
        connector.setPort(config.http().port());
        connector.setAcceptQueueSize(1024);
        server.addConnector(connector);
        server.setHandler(handler);
        connector.open();
        return server;
    }
}
