package io.talosgateway.rest.hosting;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.scheduler.NanoClock;

/**
 * Bounds the recent puts of all partitions together: of too many the oldest are forgotten, whichever partition's they are, so
 * that a busy partition does not take the memory of the others, nor an idle one keep it. Safe for use by any thread.
 */
final class RecentPutsTotal {

    private final RecentPutsConfig config;
    private final NanoClock clock;

    /** Oldest first; some were forgotten by their partition meanwhile. Guarded by this. */
    private final Deque<Remembered> all = new ArrayDeque<>();

    /** Guarded by this. */
    private int count;

    private record Remembered(RecentPuts puts, IdempotencyKey.Fingerprint key, RecentPuts.Entry entry) {}

    RecentPutsTotal(RecentPutsConfig config, NanoClock clock) {
        this.config = config;
        this.clock = clock;
    }

    /** By this clock puts become too old. */
    NanoClock clock() {
        return clock;
    }

    /** Puts that are remembered. */
    synchronized int count() {
        return count;
    }

    /** Not to be called under a partition's lock: others are entered. */
    void added(RecentPuts puts, IdempotencyKey.Fingerprint key, RecentPuts.Entry entry) {
        long nowNanos = clock.nanoTime();
        List<Remembered> oldest = new ArrayList<>();
        synchronized (this) {
            count++;
            all.addLast(new Remembered(puts, key, entry));
            for (Remembered first = all.peekFirst();
                    first != null && isToGo(first, nowNanos);
                    first = all.peekFirst()) {
                oldest.add(all.removeFirst());
            }
        }
        oldest.forEach(remembered -> remembered.puts.forget(remembered.key, remembered.entry));
    }

    private boolean isToGo(Remembered remembered, long nowNanos) {
        return all.size() > config.maxTotal() || config.isTooOld(remembered.entry.addedAtNanos, nowNanos);
    }

    synchronized void removed(int puts) {
        count -= puts;
    }
}
