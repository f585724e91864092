package io.talosgateway.loadgen;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A client's keep-alive connection in an {@link EventLoop}, with one request at a time; it is opened when it is needed, and
 * again after a failure. For the thread of the loop.
 */
final class AsyncConnection {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private enum State {
        /** Nothing is under way; there may be a channel. */
        IDLE,
        CONNECTING,
        /** A request is sent, or its answer awaited. */
        BUSY
    }

    private final EventLoop loop;
    private final Client client;
    private final @Nullable Pacing pacing;
    private final InetSocketAddress address;
    private final long patienceNanos;
    private final HttpAnswer answer;

    private State state = State.IDLE;
    private @Nullable SocketChannel channel;
    private ByteBuffer[] request = {};
    private long wakeNanos;
    private long dueNanos;
    private long sentAtNanos;
    private long giveUpAtNanos;

    /** @param pacing null for a closed loop */
    AsyncConnection(
            EventLoop loop, Client client, @Nullable Pacing pacing, InetSocketAddress address, long patienceNanos) {
        this.loop = loop;
        this.client = client;
        this.pacing = pacing;
        this.address = address;
        this.patienceNanos = patienceNanos;
        this.answer = client.newAnswer();
    }

    Client client() {
        return client;
    }

    /** When it wants {@link #begin} to be called. */
    long wakeNanos() {
        return wakeNanos;
    }

    /** The run begins. */
    void start(long nowNanos) {
        goOn(Client.Next.AT_ONCE, nowNanos);
    }

    private void goOn(Client.Next next, long nowNanos) {
        state = State.IDLE;
        if (pacing != null) {
            dueNanos = pacing.nextNanos();
            wakeNanos = dueNanos;
        } else {
            wakeNanos = next == Client.Next.AT_ONCE ? nowNanos : nowNanos + PAUSE_NANOS;
        }
        if (wakeNanos - nowNanos <= 0) {
            begin(nowNanos);
        } else {
            loop.sleep(this);
        }
    }

    /** It is time for the next request. */
    void begin(long nowNanos) {
        if (loop.window().isOver(nowNanos)) {
            loop.ended();
        } else if (channel == null) {
            loop.connectWhenThereIsRoom(this);
        } else {
            send(channel, nowNanos);
        }
    }

    /** There is room for another connection to be made. */
    void connect(long nowNanos) {
        state = State.CONNECTING;
        giveUpAtNanos = nowNanos + patienceNanos;
        try {
            SocketChannel opened = SocketChannel.open();
            channel = opened;
            opened.configureBlocking(false);
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            opened.register(loop.selector(), SelectionKey.OP_CONNECT, this);
            if (opened.connect(address)) {
                connected(opened);
            }
        } catch (UnresolvedAddressException e) {
            fail((IOException) new ConnectException("there is no host " + address.getHostString()).initCause(e));
        } catch (IOException e) {
            fail(e);
        }
    }

    private void connected(SocketChannel of) {
        loop.connectEnded();
        long nowNanos = System.nanoTime();
        state = State.IDLE;
        of.keyFor(loop.selector()).interestOps(SelectionKey.OP_READ);
        begin(nowNanos);
    }

    private void send(SocketChannel to, long nowNanos) {
        state = State.BUSY;
        sentAtNanos = nowNanos;
        giveUpAtNanos = nowNanos + patienceNanos;
        request = client.nextRequest();
        answer.reset();
        try {
            write(to);
        } catch (IOException e) {
            fail(e);
        }
    }

    private void write(SocketChannel to) throws IOException {
        to.write(request);
        SelectionKey key = to.keyFor(loop.selector());
        int wanted =
                RequestBytes.hasMore(request) ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    /** The channel can do something. */
    void ready(SelectionKey key) {
        SocketChannel current = channel;
        if (current == null || key.channel() != current) {
            return;
        }
        try {
            if (key.isConnectable()) {
                if (current.finishConnect()) {
                    connected(current);
                }
                return;
            }
            if (key.isWritable()) {
                write(current);
            }
            if (key.isReadable()) {
                receive(current);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void receive(SocketChannel from) throws IOException {
        ByteBuffer in = loop.in();
        int read = from.read(in);
        if (state == State.IDLE) {
            // The server has closed it, or says something that nobody asked for.
            if (read != 0) {
                close();
            }
            return;
        }
        if (read < 0) {
            if (!answer.takeEnd()) {
                throw new EOFException("The server closed the connection before it had answered");
            }
            answered();
        } else if (answer.take(in.flip())) {
            if (in.hasRemaining()) {
                throw new IOException("The server sent more than its answer");
            }
            answered();
        }
    }

    private void answered() {
        if (!answer.keepsAlive()) {
            close();
        }
        long nowNanos = System.nanoTime();
        goOn(client.take(answer, pacing == null ? sentAtNanos : dueNanos, sentAtNanos, nowNanos), nowNanos);
    }

    private void fail(IOException reason) {
        if (state == State.CONNECTING) {
            loop.connectEnded();
        }
        close();
        goOn(client.failed(reason), System.nanoTime());
    }

    /** Gives up what is under way, if it has taken too long. */
    void giveUpIfDue(long nowNanos) {
        if (state != State.IDLE && nowNanos - giveUpAtNanos >= 0) {
            fail(
                    state == State.CONNECTING
                            ? new ConnectException("the server does not take the connection")
                            : new SocketTimeoutException("The server has not answered"));
        }
    }

    void close() {
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
