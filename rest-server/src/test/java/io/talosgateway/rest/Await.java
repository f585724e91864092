package io.talosgateway.rest;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Waits for what other threads, processes or machines do, where nothing calls back. It leaves the processors to them: it asks
 * after a millisecond, then less and less often. The time limit of the test ends it.
 */
public final class Await {

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

    private Await() {}

    /**
     * @param <T> what is asked for
     * @param <E> what asking may throw
     */
    @FunctionalInterface
    public interface Source<T, E extends Exception> {
        T next() throws E;
    }

    /** @param <E> what asking may throw */
    @FunctionalInterface
    public interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    /** Returns when the condition holds. */
    public static <E extends Exception> void until(Condition<E> condition) throws E {
        value(condition::holds, holds -> holds);
    }

    /** Returns when the condition holds no longer. */
    public static <E extends Exception> void asLongAs(Condition<E> condition) throws E {
        value(condition::holds, holds -> !holds);
    }

    /** The first value that is wanted. */
    public static <T, E extends Exception> T value(Source<T, E> source, Predicate<T> wanted) throws E {
        T value = source.next();
        for (long pause = FIRST_PAUSE_NANOS; !wanted.test(value); pause = Math.min(pause * 3 / 2, LAST_PAUSE_NANOS)) {
            LockSupport.parkNanos(pause);
            if (Thread.interrupted()) {
                throw new AssertionError("The time limit of the test ended the wait; the last value: " + value);
            }
            value = source.next();
        }
        return value;
    }
}
