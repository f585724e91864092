package io.talosgateway.loadgen.experiment;

import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import com.sun.management.UnixOperatingSystemMXBean;

/** Connections to a gateway that were used once and are silent since. For one thread. */
final class IdleConnections implements AutoCloseable {

    /** What this process, and the gateway, need for other purposes. */
    private static final int OTHER_FILES = 1_000;

    private static final int ANSWER_BYTES = 16 * 1024;

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
}
