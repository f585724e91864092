package io.talosgateway.loadgen.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.talosgateway.loadgen.http.Wire;
import io.talosgateway.loadgen.plan.Pacing;
import org.jspecify.annotations.Nullable;

/**
 * One thread that drives many connections, each with one request under way: as many requests are pending as there are
 * clients. Nothing is queued but what a client is due to send, so memory does not grow; every request is answered, or given up
 * when its time is over.
 */
final class EventLoop implements Driver {

    private static final int BUFFER_BYTES = 256 * 1024;
    /** More at once would overflow the queue of a server that accepts connections. */
    private static final int MOST_CONNECTING = 64;

    private static final long LONGEST_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SHORTEST_SELECT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long EXPIRY_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Window window;
    private final CountDownLatch measured;
    private final List<AsyncConnection> connections = new ArrayList<>();
    private final PriorityQueue<AsyncConnection> sleeping =
            new PriorityQueue<>(Comparator.comparingLong(AsyncConnection::wakeNanos));
    private final Deque<AsyncConnection> toConnect = new ArrayDeque<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Selector selector;
    private int connecting;
    private int active;

    /** @param measured the thread goes on living until then, so that what the system says of it is not lost */
    EventLoop(Window window, CountDownLatch measured) {
        this.window = window;
        this.measured = measured;
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
     * @param eachItsOwn whether each request has a connection of its own
     */
    void add(
            Client client,
            @Nullable Pacing pacing,
            InetSocketAddress address,
            Wire.Factory wires,
            boolean eachItsOwn,
            long patienceNanos) {
        connections.add(new AsyncConnection(this, client, pacing, address, wires, eachItsOwn, patienceNanos));
    }

    @Override
    public void run() {
        try {
            active = connections.size();
            for (AsyncConnection connection : connections) {
                connection.start(System.nanoTime());
            }
            long expiryCheckedAtNanos = System.nanoTime();
            while (active > 0) {
                select();
                long nowNanos = System.nanoTime();
                if (window.isOver(nowNanos)) {
                    endIdleOnes();
                }
                wake(nowNanos);
                connectSome(nowNanos);
                if (nowNanos - expiryCheckedAtNanos >= EXPIRY_CHECK_NANOS) {
                    connections.forEach(connection -> connection.giveUpIfDue(nowNanos));
                    expiryCheckedAtNanos = nowNanos;
                }
            }
            measured.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            connections.get(0).client().madeMistake(e);
            throw new IllegalStateException(e);
        } finally {
            close();
        }
    }

    private void select() throws IOException {
        long nanos = LONGEST_SLEEP_NANOS;
        AsyncConnection next = sleeping.peek();
        if (next != null) {
            nanos = Math.min(nanos, next.wakeNanos() - System.nanoTime());
        }
        if (nanos >= SHORTEST_SELECT_NANOS) {
            selector.select(this::ready, TimeUnit.NANOSECONDS.toMillis(nanos));
        } else if (selector.selectNow(this::ready) == 0 && nanos > 0) {
            // A selector cannot sleep for less than a millisecond, and what is due must not come late.
            LockSupport.parkNanos(Math.min(nanos, NAP_NANOS));
        }
    }

    private void ready(SelectionKey key) {
        ((AsyncConnection) key.attachment()).ready(key);
    }

    private void wake(long nowNanos) {
        for (AsyncConnection next = sleeping.peek();
                next != null && next.wakeNanos() - nowNanos <= 0;
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

    private void endIdleOnes() {
        active -= sleeping.size() + toConnect.size();
        sleeping.clear();
        toConnect.clear();
    }

    private void close() {
        connections.forEach(AsyncConnection::close);
        try {
            selector.close();
        } catch (IOException e) {
            // It is not used any more.
        }
    }

    /** Expired requests are given up by the loop itself. */
    @Override
    public void giveUpIfDue(long nowNanos) {}

    // --- for connections ---

    Window window() {
        return window;
    }

    Selector selector() {
        return selector;
    }

    /** Memory to read into, for now. */
    ByteBuffer in() {
        return in.clear();
    }

    /** Calls {@link AsyncConnection#begin} when the connection wants to be woken. */
    void sleep(AsyncConnection connection) {
        sleeping.add(connection);
    }

    /** Calls {@link AsyncConnection#connect} when there is room for another. */
    void connectWhenThereIsRoom(AsyncConnection connection) {
        toConnect.add(connection);
    }

    /** A connection was made, or could not be. */
    void connectEnded() {
        connecting--;
    }

    /** The client has sent its last request. */
    void ended() {
        active--;
    }
}
