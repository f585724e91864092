package io.talosgateway.rest.statelog;

import java.util.List;

/**
 * Decides about a request.
 *
 * @param <S> the state
 * @param <R> a record of it
 * @param <T> an answer
 */
@FunctionalInterface
public interface Decider<S, R, T> {

    /** An answer, and what has to be recorded before it is given. */
    record Decision<R, T>(T answer, List<R> records) {}

    /**
     * Decides; changes nothing that is recorded. Must not block.
     *
     * @throws io.talosgateway.rest.errors.GatewayException if the request is refused
     */
    Decision<R, T> decide(S state, long nowNanos);
}
