package io.talosgateway.rest.statelog;

import java.util.function.Function;
import java.util.function.Supplier;

import io.talosgateway.rest.errors.GatewayException;

/**
 * A kind of state.
 *
 * @param what it is, in the plural, for operators
 * @param empty makes a state of nothing
 * @param unconfirmed what is told when a change is decided, and the storage does not confirm it: it may or may not be made
 * @param minSuperseded a log is written anew when more of it is superseded, and more than is not; in the unit of weights
 * @param <S> the state
 * @param <R> a record of it
 */
public record StateLogKind<S extends LogState<R>, R>(
        String what,
        Supplier<S> empty,
        RecordCodec<R> codec,
        Function<Throwable, GatewayException> unconfirmed,
        long minSuperseded) {}
