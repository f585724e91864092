package io.talosgateway.rest.http;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whose turn it is with a request whose body is read by demand: that of the thread that reads, or, while the client has to send
 * something, that of whoever loses patience. Jetty's connections are for one thread at a time: if a thread ends a request that
 * another one is reading, both give the connection's buffer back, and two connections get it, each with the bytes of the other.
 *
 * <p>{@link #demanding} and {@link #demanded} for the thread that reads, around its demand; {@link #resume} for whoever is called by it;
 * {@link #endWaiting} for any thread.
 */
final class ReadTurn {

    private enum State {
        READING,
        /** The demand is being made. It may be fulfilled already, by another thread. */
        DEMANDING,
        WAITING,
        ENDED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.READING);

    /** More is about to be demanded: nothing is read until {@link #resume}. */
    void demanding() {
        state.set(State.DEMANDING);
    }

    /** More was demanded: from now on, it is the client that is waited for, unless it has sent something. */
    void demanded() {
        state.compareAndSet(State.DEMANDING, State.WAITING);
    }

    /** Whether to read on; false if the request was ended. */
    boolean resume() {
        return state.updateAndGet(now -> now == State.ENDED ? now : State.READING) == State.READING;
    }

    /** Whether the request may be ended now, as it waits for its client: then it is read no more. */
    boolean endWaiting() {
        return state.compareAndSet(State.WAITING, State.ENDED);
    }
}
