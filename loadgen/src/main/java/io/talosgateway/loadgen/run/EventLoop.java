package io.talosgateway.loadgen.run;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Wire;
import io.talosgateway.loadgen.plan.Pacing;
import org.jspecify.annotations.Nullable;

/**
 * One thread that drives many connections, each with one request under way: as many requests are pending as there are
 * clients. Nothing is queued but what a client is due to send, so memory does not grow; every request is answered, or given up
 * when its time is over.
 */
final class EventLoop implements Runnable {

    private static final int BUFFER_BYTES = 256 * 1024;
    /** More at once would overflow the queue of a server that accepts connections. */
    private static final int MOST_CONNECTING = 64;

    private static final long SHORTEST_SELECT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long EXPIRY_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Window window;
    private final InetSocketAddress address;
    private final Wire.Factory wires;
    private final boolean eachItsOwn;
    private final long patienceNanos;
    private final List<ClientConnection> connections = new ArrayList<>();
    private final PriorityQueue<ClientConnection> sleeping =
            new PriorityQueue<>(Comparator.comparingLong(connection -> connection.wakeNanos));
    private final Deque<ClientConnection> toConnect = new ArrayDeque<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Selector selector;
    private int connecting;
    private int active;

    /**
     * A loop without clients.
     *
     * @param eachItsOwn whether each request has a connection of its own, so that the time to make it is part of the request's
     * @param patienceNanos how long to wait for a connection, or for an answer
     */
    EventLoop(Window window, InetSocketAddress address, Wire.Factory wires, boolean eachItsOwn, long patienceNanos) {
        this.window = window;
        this.address = address;
        this.wires = wires;
        this.eachItsOwn = eachItsOwn;
        this.patienceNanos = patienceNanos;
        try {
            this.selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Takes another client, before it is run.
     *
     * @param pacing null for a closed loop
     */
    void add(Client client, @Nullable Pacing pacing) {
        connections.add(new ClientConnection(client, pacing));
    }

    @Override
    public void run() {
        try {
            window.awaitStart();
            active = connections.size();
            for (ClientConnection connection : connections) {
                connection.start(System.nanoTime());
            }
            long expiryCheckedAtNanos = System.nanoTime();
            while (active > 0) {
                select();
                long nowNanos = System.nanoTime();
                if (window.isOver(nowNanos)) {
                    endIdleOnes(nowNanos);
                }
                wake(nowNanos);
                connectSome(nowNanos);
                if (nowNanos - expiryCheckedAtNanos >= EXPIRY_CHECK_NANOS) {
                    connections.forEach(connection -> connection.giveUpIfDue(nowNanos));
                    expiryCheckedAtNanos = nowNanos;
                }
            }
        } catch (InterruptedException | IOException | RuntimeException | Error e) {
            connections.get(0).client.madeMistake(e);
            throw new IllegalStateException(e);
        } finally {
            close();
        }
    }

    private void select() throws IOException {
        long nanos = Window.LONGEST_SLEEP_NANOS;
        ClientConnection next = sleeping.peek();
        if (next != null) {
            nanos = Math.min(nanos, next.wakeNanos - System.nanoTime());
        }
        if (nanos >= SHORTEST_SELECT_NANOS) {
            selector.select(this::ready, TimeUnit.NANOSECONDS.toMillis(nanos));
        } else if (selector.selectNow(this::ready) == 0 && nanos > 0) {
            // A selector cannot sleep for less than a millisecond, and what is due must not come late.
            LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
        }
    }

    private void ready(SelectionKey key) {
        ((ClientConnection) key.attachment()).ready(key);
    }

    private void wake(long nowNanos) {
        for (ClientConnection next = sleeping.peek();
                next != null && next.wakeNanos - nowNanos <= 0;
                next = sleeping.peek()) {
            sleeping.remove();
            next.begin(nowNanos);
        }
    }

    private void connectSome(long nowNanos) {
        while (connecting < MOST_CONNECTING && !toConnect.isEmpty()) {
            connecting++;
            toConnect.remove().connect(nowNanos);
        }
    }

    private void endIdleOnes(long nowNanos) {
        List<ClientConnection> idle = new ArrayList<>(sleeping);
        idle.addAll(toConnect);
        sleeping.clear();
        toConnect.clear();
        idle.forEach(connection -> connection.begin(nowNanos));
    }

    private void close() {
        connections.forEach(ClientConnection::close);
        try {
            selector.close();
        } catch (IOException e) {
            // It is not used any more.
        }
    }

    private static IOException notConnected(IOException reason) {
        return (IOException) new ConnectException(String.valueOf(reason.getMessage())).initCause(reason);
    }

    /** What a client's connection is at. */
    private enum State {
        /** Nothing is under way; there may be a channel. */
        IDLE,
        CONNECTING,
        /** A request is sent, or its answer awaited. */
        BUSY
    }

    /**
     * A client's connection, with one request at a time; it is opened when it is needed, and again after a failure. For the
     * thread of the loop.
     */
    private final class ClientConnection {

        private final Client client;
        private final @Nullable Pacing pacing;
        private final HttpAnswer answer;

        private State state = State.IDLE;
        private @Nullable SocketChannel channel;
        /** Over the channel, once that is connected. */
        private @Nullable Wire wire;

        private ByteBuffer[] request = {};
        private boolean started;
        /** When it is to go on, if it waits for that. */
        private long wakeNanos;

        private long dueNanos;
        /** If each request has a connection of its own, when that was begun. */
        private long sentAtNanos;

        private long giveUpAtNanos;

        ClientConnection(Client client, @Nullable Pacing pacing) {
            this.client = client;
            this.pacing = pacing;
            this.answer = client.request().newAnswer();
        }

        /** The run begins; a connection that is kept is made at once, also if there is nothing to send yet. */
        void start(long nowNanos) {
            if (eachItsOwn) {
                goOn(true, nowNanos);
            } else {
                toConnect.add(this);
            }
        }

        private void goOn(boolean atOnce, long nowNanos) {
            state = State.IDLE;
            started = true;
            if (pacing != null) {
                dueNanos = client.nextDue(pacing, nowNanos);
                wakeNanos = dueNanos;
            } else {
                wakeNanos = atOnce ? nowNanos : nowNanos + PAUSE_NANOS;
            }
            if (wakeNanos - nowNanos <= 0) {
                begin(nowNanos);
            } else {
                sleeping.add(this);
            }
        }

        /** It is time for the next request. */
        void begin(long nowNanos) {
            if (window.isOver(pacing == null || !started ? nowNanos : dueNanos)) {
                active--;
            } else if (channel == null || wire == null) {
                toConnect.add(this);
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
                opened.register(selector, SelectionKey.OP_CONNECT, this);
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
                connecting--;
                state = State.IDLE;
                long nowNanos = System.nanoTime();
                if (started) {
                    begin(nowNanos);
                } else {
                    goOn(true, nowNanos);
                }
            }
        }

        private void wantToWrite(SocketChannel of, boolean wanted) {
            SelectionKey key = of.keyFor(selector);
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
            int read = from.read(in.clear());
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
            boolean wasConnecting = state == State.CONNECTING;
            if (wasConnecting) {
                connecting--;
            }
            close();
            boolean known = !wasConnecting || reason instanceof ConnectException;
            client.failed(known ? reason : notConnected(reason));
            goOn(false, System.nanoTime());
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
}
