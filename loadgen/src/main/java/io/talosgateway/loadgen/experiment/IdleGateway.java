package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Server;
import io.talosgateway.loadgen.measure.MetricsPage;

/**
 * A gateway of which it is also measured what an idle connection takes: after the load, with the heap collected, once without
 * and once with so many connections open.
 */
record IdleGateway(GatewayServer gateway, int connections) implements Server {

    static final Metric HEAP = new Metric("idle.heapBytes", "heap bytes/idle connection", Metric.Better.LESS);

    private static final long COLLECTING_SECONDS = 60;

    @Override
    public Running start(Place place) throws IOException, InterruptedException {
        return gateway.start(place);
    }

    @Override
    public void lookAfterLoad(Running running, Map<String, Double> values) throws IOException, InterruptedException {
        double without = heap(running);
        try (IdleConnections idle = new IdleConnections()) {
            idle.open(URI.create(running.endpoint()), connections);
            values.put(HEAP.key(), (heap(running) - without) / connections);
        }
    }

    /** Bytes in use after all of it was collected. */
    private static double heap(Running running) throws IOException, InterruptedException {
        collect(running.process().pid());
        if (running.ops() == null) {
            throw new IllegalStateException("a gateway has metrics");
        }
        return MetricsPage.read(running.ops())
                .value("jvm_memory_bytes_used", "area=\"heap\"")
                .orElse(Double.NaN);
    }

    /** Has all of the heap collected, by the JDK's {@code jcmd}. */
    private static void collect(long pid) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process process = new ProcessBuilder(List.of(jcmd.toString(), Long.toString(pid), "GC.run"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!process.waitFor(COLLECTING_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("jcmd could not have the gateway's heap collected");
        }
    }

    @Override
    public String text() {
        return gateway.text();
    }
}
