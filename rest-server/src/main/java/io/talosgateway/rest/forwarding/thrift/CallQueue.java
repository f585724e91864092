package io.talosgateway.rest.forwarding.thrift;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for a connection to one host, the oldest first, bounded in number and bytes. Any thread may reserve a
 * place; the rest is for the thread of the loop only.
 */
final class CallQueue {

    private final int maxCalls;
    private final long maxBytes;
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Set<Call<?>> waiting = new LinkedHashSet<>();

    CallQueue(int maxCalls, long maxBytes) {
        this.maxCalls = maxCalls;
        this.maxBytes = maxBytes;
    }

    /**
     * Takes a place for a call that is added later; by any thread.
     *
     * @throws GatewayException {@code OVERLOADED} if there is none
     */
    void reserve(Call<?> call, String host) {
        long size = call.question().bytes();
        // One call always fits, however small the limit, or a large put could never be forwarded.
        if (calls.incrementAndGet() > maxCalls) {
            calls.decrementAndGet();
            throw full(host);
        }
        long before = bytes.getAndAdd(size);
        if (before > 0 && before + size > maxBytes) {
            release(call);
            throw full(host);
        }
    }

    private static GatewayException full(String host) {
        return new GatewayException(
                ErrorCode.OVERLOADED,
                "Too many requests wait for host " + host + ", which serves the partition; nothing was done. Try again "
                        + "later, and slower.");
    }

    /** Adds a call that has a place. */
    void add(Call<?> call) {
        waiting.add(call);
    }

    /** Adds a call that was taken out and not sent after all. */
    void addAgain(Call<?> call) {
        calls.incrementAndGet();
        bytes.addAndGet(call.question().bytes());
        waiting.add(call);
    }

    /** Gives back the place of a call that is not in the queue. */
    void release(Call<?> call) {
        calls.decrementAndGet();
        bytes.addAndGet(-call.question().bytes());
    }

    /** Takes out the oldest call; null if there is none. */
    @Nullable
    Call<?> poll() {
        Iterator<Call<?>> oldest = waiting.iterator();
        if (!oldest.hasNext()) {
            return null;
        }
        Call<?> call = oldest.next();
        oldest.remove();
        release(call);
        return call;
    }

    /** Takes out a call; false if it is not here. */
    boolean remove(Call<?> call) {
        boolean removed = waiting.remove(call);
        if (removed) {
            release(call);
        }
        return removed;
    }

    /** Takes out all calls. */
    List<Call<?>> removeAll() {
        List<Call<?>> all = new ArrayList<>(waiting);
        all.forEach(this::remove);
        return all;
    }

    /** Calls that wait for a connection. */
    int waiting() {
        return waiting.size();
    }

    /** Calls that have a place; for any thread. */
    int calls() {
        return calls.get();
    }

    /** Bytes that they hold; for any thread. */
    long bytes() {
        return bytes.get();
    }
}
