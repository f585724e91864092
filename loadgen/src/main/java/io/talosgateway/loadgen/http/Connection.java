package io.talosgateway.loadgen.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * A keep-alive connection that is opened when it is needed, and again after a failure. Blocking, with one request at a time:
 * a write and, mostly, one read for each. For one thread, but for what says otherwise.
 *
 * <p>Nobody wakes a thread that waits for a server that does not answer, but a {@link Watch}.
 */
public final class Connection implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final long NOT_WAITING = 0;
    private static final long GIVEN_UP = 2;

    private final InetSocketAddress address;
    private final Wire.Factory wires;
    private final long patienceNanos;
    private final HttpAnswer answer;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    /** When to give up what is under way: odd, or one of the constants. */
    private final AtomicLong giveUpAtNanos = new AtomicLong(NOT_WAITING);

    private volatile @Nullable SocketChannel channel;
    /** Over the channel, if there is one. */
    private @Nullable Wire wire;

    /**
     * A connection of plain HTTP that is not open yet.
     *
     * @param patienceNanos how long to wait for the server to take the connection, or to answer a request
     * @param answer takes the answers
     */
    public Connection(InetSocketAddress address, long patienceNanos, HttpAnswer answer) {
        this(address, Wire::plain, patienceNanos, answer);
    }

    public Connection(InetSocketAddress address, Wire.Factory wires, long patienceNanos, HttpAnswer answer) {
        this.address = address;
        this.wires = wires;
        this.patienceNanos = patienceNanos;
        this.answer = answer;
    }

    /**
     * Opens the connection, unless it is open.
     *
     * @throws ConnectException if that fails
     */
    public void open() throws IOException {
        opened();
    }

    private Wire opened() throws IOException {
        Wire current = wire;
        if (current != null && channel != null) {
            return current;
        }
        SocketChannel opened = SocketChannel.open();
        channel = opened;
        beginWaiting(patienceNanos);
        Wire made;
        try {
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            opened.connect(address);
            made = wires.over(opened);
            // A blocking one is done when it returns.
            made.handshake();
        } catch (IOException | UnresolvedAddressException e) {
            close();
            String reason = endWaiting()
                    ? "the server does not take the connection"
                    : e.getMessage() == null ? "there is no host " + address.getHostString() : e.getMessage();
            throw (ConnectException) new ConnectException(reason).initCause(e);
        }
        if (endWaiting()) {
            close();
            throw new ConnectException("the server does not take the connection");
        }
        wire = made;
        return made;
    }

    /** Sends a request and waits for the whole answer, as long as the connection's patience lasts. */
    public HttpAnswer exchange(ByteBuffer[] request) throws IOException {
        return exchange(request, patienceNanos);
    }

    /**
     * Sends a request and waits for the whole answer.
     *
     * @return valid until the next call
     * @throws SocketTimeoutException if it was given up
     * @throws IOException if there is no answer; the next call opens a new connection
     */
    public HttpAnswer exchange(ByteBuffer[] request, long patienceForItNanos) throws IOException {
        Wire current = opened();
        beginWaiting(patienceForItNanos);
        try {
            boolean sent = false;
            while (!sent) {
                sent = current.write(request);
            }
            answer.reset();
            receive(current);
        } catch (IOException | RuntimeException e) {
            close();
            if (endWaiting()) {
                throw (SocketTimeoutException) new SocketTimeoutException("The server has not answered").initCause(e);
            }
            throw e;
        }
        // Given up at the last moment: the answer is there, the connection is not.
        if (endWaiting() || !answer.keepsAlive()) {
            close();
        }
        return answer;
    }

    private void receive(Wire from) throws IOException {
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
        if (in.hasRemaining()) {
            throw new IOException("The server sent more than its answer");
        }
    }

    private void beginWaiting(long nanos) {
        giveUpAtNanos.setRelease((System.nanoTime() + nanos) | 1);
    }

    /** Whether it was given up. */
    private boolean endWaiting() {
        return giveUpAtNanos.getAndSet(NOT_WAITING) == GIVEN_UP;
    }

    /** Gives up what is under way, if it has taken too long: it fails. Any thread. */
    void giveUpIfDue(long nowNanos) {
        long giveUpAt = giveUpAtNanos.getAcquire();
        if (giveUpAt == NOT_WAITING || giveUpAt == GIVEN_UP || nowNanos - giveUpAt < 0) {
            return;
        }
        // What is under way has this channel until it ends, so that none of a later request is closed.
        SocketChannel current = channel;
        if (giveUpAtNanos.compareAndSet(giveUpAt, GIVEN_UP)) {
            close(current);
        }
    }

    /** Closes the connection; a request under way fails. Any thread. */
    @Override
    public void close() {
        SocketChannel current = channel;
        channel = null;
        close(current);
    }

    private static void close(@Nullable SocketChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is not used any more; there is nothing to be lost.
            }
        }
    }
}
