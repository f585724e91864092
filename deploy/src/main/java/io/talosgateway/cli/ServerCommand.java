package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.bootstrap.Gateway;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Runs a gateway until it is told to stop. */
@Command(
        name = "server",
        description = {
            "Runs a gateway until it is interrupted (Ctrl-C) or terminated.",
            "Without configuration it keeps everything below ./data, with a ZooKeeper of its own, and listens on "
                    + "127.0.0.1:8080. If there is no key yet, it makes an admin key and prints it once."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  talos-gateway server",
            "  talos-gateway server --set http.port=9000 --set data.directory=/var/lib/talos",
            "  talos-gateway server --set storage.root=hdfs://namenode:8020/talos"
        })
final class ServerCommand implements Callable<Integer> {

    /** How long a start that is under way may take to end, if the process is told to stop meanwhile. */
    private static final long START_ENDS_SECONDS = 5;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        GatewayConfig config = options.config();
        makeFirstKey(config);
        // Before the gateway takes partitions over: it is to give them back also if it is stopped just then.
        CompletableFuture<Gateway> started = new CompletableFuture<>();
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            stop(started);
                            stopped.countDown();
                        },
                        "shutdown"));
        try {
            started.complete(Gateway.startAndWarmUp(config));
        } catch (IOException | RuntimeException e) {
            started.completeExceptionally(e);
            throw e;
        }
        stopped.await();
        return 0;
    }

    /** Stops the gateway. If its start does not come to an end soon, it ends as it is: what it waits for may never come. */
    private static void stop(CompletableFuture<Gateway> started) {
        try {
            started.get(START_ENDS_SECONDS, TimeUnit.SECONDS).close();
        } catch (ExecutionException | TimeoutException e) {
            // There is nothing to stop.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void makeFirstKey(GatewayConfig config) throws IOException {
        if (!KeyFile.read(config.auth().keyFile()).isEmpty()) {
            return;
        }
        AccessKey key = KeyFile.create(config.auth().keyFile(), "root", true, InstantSource.system());
        PrintWriter out = spec.commandLine().getOut();
        out.println("There was no key yet, so here is one that may do everything. It is shown only now:");
        KeyCommand.print(out, key);
        out.println("It is kept in " + config.auth().keyFile() + ", which only you can read.");
        out.flush();
    }
}
