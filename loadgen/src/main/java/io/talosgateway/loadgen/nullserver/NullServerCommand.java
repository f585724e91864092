package io.talosgateway.loadgen.nullserver;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.SizeConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code talos-loadgen null-server}. */
@Command(
        name = "null-server",
        description = {
            "Answers every request with success at once, to find out how much 'run' itself can do on this host.",
            "",
            "It takes puts of all formats and gets of the JSON interface, keeps nothing, asks for no key and knows every topic. "
                    + "It listens on loopback, until Ctrl-C.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example, in two terminals:",
            "  talos-loadgen null-server --port 9090",
            "  talos-loadgen run --endpoint http://127.0.0.1:9090 --put-threads 120"
        })
public final class NullServerCommand implements Callable<Integer> {

    private static final int MAX_THREADS = 256;
    private static final int MAX_PORT = 65_535;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "9090",
            description = "Where it listens; 0 for a port that is free. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(
            names = "--io-threads",
            paramLabel = "N",
            defaultValue = "1",
            description = "Threads that drive the connections. Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--answer-size",
            paramLabel = "SIZE",
            defaultValue = "10KiB",
            converter = SizeConverter.class,
            description = "Bytes of the body of an answer to a get. Default: ${DEFAULT-VALUE}.")
    private Integer answerSize = 0;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            description = "End after this time. Default: never.")
    private @Nullable Duration duration;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        LoadFailure.check(threads >= 1 && threads <= MAX_THREADS, "--io-threads must be 1 to " + MAX_THREADS);
        LoadFailure.check(port >= 0 && port <= MAX_PORT, "--port must be 0 to " + MAX_PORT);
        try (NullServer server = new NullServer(port, threads, answerSize)) {
            PrintWriter text = spec.commandLine().getOut();
            text.println("The null server serves at http://127.0.0.1:" + server.port());
            text.flush();
            CountDownLatch end = new CountDownLatch(1);
            if (duration == null) {
                end.await();
            } else {
                end.await(duration.toMillis(), TimeUnit.MILLISECONDS);
            }
            return 0;
        } catch (IOException e) {
            throw new LoadFailure("The null server cannot listen on port %d: %s".formatted(port, e.getMessage()), e);
        }
    }
}
