package io.talosgateway.loadgen.experiment;

import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.sun.management.UnixOperatingSystemMXBean;
import io.talosgateway.loadgen.measure.MetricsPage;

/** Connections to a gateway that were used once and are silent since. For one thread. */
final class IdleConnections implements AutoCloseable {

    /** What this process, and the gateway, need for other purposes. */
    private static final int OTHER_FILES = 1_000;

    private static final int ANSWER_BYTES = 16 * 1024;

    private static final long COLLECTING_SECONDS = 60;

    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);

    /** As many as wanted, or as many as the limit of open files allows. */
    static int atMost(int wanted) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? (int) Math.max(1, Math.min(wanted, system.getMaxFileDescriptorCount() - OTHER_FILES))
                : wanted;
    }

    /** Opens so many more, and has a request answered on each. */
    void open(URI endpoint, int count) throws IOException {
        InetSocketAddress address = new InetSocketAddress(endpoint.getHost(), endpoint.getPort());
        byte[] request = "GET /health HTTP/1.1\r\nHost: %s\r\n\r\n"
                .formatted(endpoint.getAuthority())
                .getBytes(StandardCharsets.US_ASCII);
        for (int number = 0; number < count; number++) {
            SocketChannel channel = SocketChannel.open(address);
            channels.add(channel);
            channel.write(ByteBuffer.wrap(request));
            if (channel.read(answer.clear()) < 0) {
                throw new EOFException("the gateway closes connection %d of %d".formatted(number + 1, count));
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
    }

    /** Bytes of the heap that an idle connection takes: after it was collected, without and with so many of them. */
    static double heapOfEach(Server.Running running, int count) throws IOException, InterruptedException {
        double without = heap(running);
        try (IdleConnections idle = new IdleConnections()) {
            idle.open(URI.create(running.endpoint()), count);
            return (heap(running) - without) / count;
        }
    }

    /** Bytes in use after all of it was collected. */
    private static double heap(Server.Running running) throws IOException, InterruptedException {
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
}
