package io.talosgateway.rest.http;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Says which thread may use a request whose body is read by demand: the thread that reads, or, while the gateway waits for bytes of the
 * client, the thread that ends the request because its time is over. Jetty's connections are for one thread at a time: if a thread ends a
 * request that another one is reading, the connection's buffer may be given back twice, and two connections get it.
 *
 * <p>{@link #demanding} and {@link #demanded} for the thread that reads, around its demand; {@link #resume} for whoever is called by it;
 * {@link #endWaiting} for any thread.
 */
final class ReadTurn {

    private static final int READING = 0;
    /** The demand is being made. It may be fulfilled already, and the next one made, by another thread. */
    private static final int DEMANDING = 1;

    private static final int WAITING = 2;
    private static final int ENDED = 3;

    private static final int STATE = 3;
    private static final int ONE_DEMAND = STATE + 1;

    /** What happens, and above it the number of demands, by which a demand that returns late is told from the next one. */
    private final AtomicInteger state = new AtomicInteger(READING);

    /**
     * More is about to be demanded: nothing is read until {@link #resume}.
     *
     * @return the demand, for {@link #demanded}
     */
    int demanding() {
        int demand = with(state.get() + ONE_DEMAND, DEMANDING);
        state.set(demand);
        return demand;
    }

    /** More was demanded: from now on, it is the client that is waited for, unless it has sent something. */
    void demanded(int demand) {
        state.compareAndSet(demand, with(demand, WAITING));
    }

    /** Whether to read on; false if the request was ended. */
    boolean resume() {
        return is(READING, state.updateAndGet(now -> is(ENDED, now) ? now : with(now, READING)));
    }

    /** Whether the request may be ended now, as it waits for its client: then it is read no more. */
    boolean endWaiting() {
        int now = state.get();
        return is(WAITING, now) && state.compareAndSet(now, with(now, ENDED));
    }

    private static int with(int now, int next) {
        return (now & ~STATE) | next;
    }

    private static boolean is(int which, int now) {
        return (now & STATE) == which;
    }
}
