package io.talosgateway.loadgen.run;

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

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Wire;
import io.talosgateway.loadgen.plan.Pacing;
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
    private final Wire.Factory wires;
    private final boolean eachItsOwn;
    private final long patienceNanos;
    private final HttpAnswer answer;

    private State state = State.IDLE;
    private @Nullable SocketChannel channel;
    /** Over the channel, once that is connected. */
    private @Nullable Wire wire;

    private ByteBuffer[] request = {};
    private boolean started;
    private long wakeNanos;
    private long dueNanos;
    /** If each request has a connection of its own, when that was begun. */
    private long sentAtNanos;

    private long giveUpAtNanos;

    /**
     * @param pacing null for a closed loop
     * @param eachItsOwn whether each request has a connection of its own, so that the time to make it is part of the request's
     */
    AsyncConnection(
            EventLoop loop,
            Client client,
            @Nullable Pacing pacing,
            InetSocketAddress address,
            Wire.Factory wires,
            boolean eachItsOwn,
            long patienceNanos) {
        this.loop = loop;
        this.client = client;
        this.pacing = pacing;
        this.address = address;
        this.wires = wires;
        this.eachItsOwn = eachItsOwn;
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

    /** The run begins; a connection that is kept is made at once, also if there is nothing to send yet. */
    void start(long nowNanos) {
        if (eachItsOwn) {
            goOn(Client.Next.AT_ONCE, nowNanos);
        } else {
            loop.connectWhenThereIsRoom(this);
        }
    }

    private void goOn(Client.Next next, long nowNanos) {
        state = State.IDLE;
        started = true;
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
        } else if (channel == null || wire == null) {
            loop.connectWhenThereIsRoom(this);
        } else {
            send(channel, wire, nowNanos);
        }
    }

    /** There is room for another connection to be made. */
    void connect(long nowNanos) {
        state = State.CONNECTING;
        sentAtNanos = nowNanos;
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

    private void connected(SocketChannel of) throws IOException {
        Wire made = wires.over(of);
        wire = made;
        shakeHands(of, made);
    }

    private void shakeHands(SocketChannel of, Wire over) throws IOException {
        boolean done = over.handshake();
        wantToWrite(of, over.wantsToWrite());
        if (done) {
            loop.connectEnded();
            state = State.IDLE;
            long nowNanos = System.nanoTime();
            if (started) {
                begin(nowNanos);
            } else {
                goOn(Client.Next.AT_ONCE, nowNanos);
            }
        }
    }

    private void wantToWrite(SocketChannel of, boolean wanted) {
        SelectionKey key = of.keyFor(loop.selector());
        int operations = wanted ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != operations) {
            key.interestOps(operations);
        }
    }

    private void send(SocketChannel to, Wire over, long nowNanos) {
        state = State.BUSY;
        sentAtNanos = eachItsOwn ? sentAtNanos : nowNanos;
        giveUpAtNanos = nowNanos + patienceNanos;
        request = client.nextRequest();
        answer.reset();
        try {
            wantToWrite(to, !over.write(request));
        } catch (IOException e) {
            fail(e);
        }
    }

    /** The channel can do something. */
    void ready(SelectionKey key) {
        SocketChannel current = channel;
        if (current == null || key.channel() != current) {
            return;
        }
        try {
            Wire over = wire;
            if (over == null) {
                if (current.finishConnect()) {
                    connected(current);
                }
            } else if (state == State.CONNECTING) {
                shakeHands(current, over);
            } else {
                exchange(key, current, over);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void exchange(SelectionKey key, SocketChannel current, Wire over) throws IOException {
        if (key.isWritable()) {
            wantToWrite(current, !over.write(request));
        }
        if (key.isReadable()) {
            boolean more = true;
            while (more) {
                more = receive(over) && over == wire && over.mayHaveMore();
            }
        }
    }

    /** False if nothing has come, or if it was the end. */
    private boolean receive(Wire from) throws IOException {
        ByteBuffer in = loop.in();
        int read = from.read(in);
        if (read == 0) {
            return false;
        }
        if (state == State.IDLE) {
            // The server has closed it, or says something that nobody asked for.
            close();
            return false;
        }
        if (read < 0) {
            if (!answer.takeEnd()) {
                throw new EOFException("The server closed the connection before it had answered");
            }
            answered();
            return false;
        }
        if (answer.take(in.flip())) {
            if (in.hasRemaining()) {
                throw new IOException("The server sent more than its answer");
            }
            answered();
        }
        return true;
    }

    private void answered() {
        if (eachItsOwn || !answer.keepsAlive()) {
            close();
        }
        long nowNanos = System.nanoTime();
        goOn(client.take(answer, pacing == null ? sentAtNanos : dueNanos, sentAtNanos, nowNanos), nowNanos);
    }

    private void fail(IOException reason) {
        boolean connecting = state == State.CONNECTING;
        if (connecting) {
            loop.connectEnded();
        }
        close();
        boolean known = !connecting || reason instanceof ConnectException;
        goOn(client.failed(known ? reason : notConnected(reason)), System.nanoTime());
    }

    private static IOException notConnected(IOException reason) {
        return (IOException) new ConnectException(String.valueOf(reason.getMessage())).initCause(reason);
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
        wire = null;
        if (current != null) {
            try {
                current.close();
            } catch (IOException e) {
                // It is not used any more; there is nothing to be lost.
            }
        }
    }
}
