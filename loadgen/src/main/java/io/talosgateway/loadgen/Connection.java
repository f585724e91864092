package io.talosgateway.loadgen;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * A keep-alive connection that is opened when it is needed, and again after a failure. Blocking, with one request at a time:
 * a write and, mostly, one read for each. For one thread,
 * but for what says otherwise.
 */
final class Connection implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final long NOT_WAITING = 0;

    private final InetSocketAddress address;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final HttpAnswer answer = new HttpAnswer();
    /** When the request under way was sent. */
    private final AtomicLong waitingSinceNanos = new AtomicLong(NOT_WAITING);

    private volatile @Nullable SocketChannel channel;

    Connection(InetSocketAddress address) {
        this.address = address;
    }

    /**
     * Opens the connection, unless it is open.
     *
     * @throws ConnectException if that fails
     */
    SocketChannel open() throws IOException {
        SocketChannel current = channel;
        if (current != null) {
            return current;
        }
        SocketChannel opened = SocketChannel.open();
        try {
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            opened.connect(address);
        } catch (IOException | UnresolvedAddressException e) {
            opened.close();
            String reason = e.getMessage() == null ? "there is no host " + address.getHostString() : e.getMessage();
            throw (ConnectException) new ConnectException(reason).initCause(e);
        }
        channel = opened;
        return opened;
    }

    /**
     * Sends a request and waits for the whole answer.
     *
     * @return valid until the next call
     * @throws IOException if there is no answer; the next call opens a new connection
     */
    HttpAnswer exchange(ByteBuffer[] request) throws IOException {
        SocketChannel current = open();
        waitingSinceNanos.setRelease(System.nanoTime() | 1);
        try {
            ByteBuffer last = request[request.length - 1];
            while (last.hasRemaining()) {
                current.write(request);
            }
            answer.reset();
            receive(current);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        } finally {
            waitingSinceNanos.setRelease(NOT_WAITING);
        }
        if (!answer.keepsAlive()) {
            close();
        }
        return answer;
    }

    private void receive(SocketChannel from) throws IOException {
        boolean complete = false;
        while (!complete) {
            in.clear();
            int read = from.read(in);
            if (read < 0) {
                if (!answer.takeEnd()) {
                    throw new EOFException("The server closed the connection before it had answered");
                }
                return;
            }
            complete = answer.take(in.flip());
        }
    }

    /** Whether a request has waited for its answer for longer than that. Any thread. */
    boolean hasWaitedFor(long nanos, long nowNanos) {
        long since = waitingSinceNanos.getAcquire();
        return since != NOT_WAITING && nowNanos - since > nanos;
    }

    /** Closes the connection; a request under way fails. Any thread. */
    @Override
    public void close() {
        SocketChannel current = channel;
        channel = null;
        if (current != null) {
            try {
                current.close();
            } catch (IOException e) {
                // It is not used any more; there is nothing to be lost.
            }
        }
    }
}
