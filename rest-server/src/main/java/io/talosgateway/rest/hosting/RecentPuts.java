package io.talosgateway.rest.hosting;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.topic.Durability;
import org.jspecify.annotations.Nullable;

/**
 * The recent puts of a partition that had an idempotency key, those on their way included, so that a repeat is recognised.
 * The oldest go when there are too many or they are too old. Their age counts from the moment at which this host learned of
 * them, by its monotonic clock: append times are of wall clocks, which are set ahead and differ between hosts. Safe for use by
 * any thread.
 */
public final class RecentPuts {

    private final RecentPutsConfig config;
    private final RecentPutsTotal total;

    /** Oldest first. Guarded by this. */
    private final Map<IdempotencyKey.Fingerprint, Entry> byKey = new LinkedHashMap<>();

    RecentPuts(RecentPutsConfig config, RecentPutsTotal total) {
        this.config = config;
        this.total = total;
    }

    static final class Entry {
        private final long digest;
        final long addedAtNanos;
        /** Until the put has ended; then null, and the result is set. */
        private @Nullable CompletableFuture<AppendResult> outcome;

        private @Nullable AppendResult result;

        Entry(long digest, long addedAtNanos) {
            this.digest = digest;
            this.addedAtNanos = addedAtNanos;
        }
    }

    /** What is known of a key. */
    public enum Known {
        /** Nothing: the put is new. */
        NEW,
        /** The put was stored, or is on its way: {@link Match#outcome} says what becomes, or became, of it. */
        REPEAT,
        /** The key was used for other messages. */
        OTHER_MESSAGES
    }

    /** Answer to {@link #find}; the outcome is set for a repeat only. */
    public record Match(Known known, @Nullable CompletableFuture<AppendResult> outcome) {
        private static final Match NEW = new Match(Known.NEW, null);
        private static final Match OTHER = new Match(Known.OTHER_MESSAGES, null);
    }

    public synchronized Match find(IdempotencyKey.Fingerprint key, long digest) {
        Entry entry = byKey.get(key);
        if (entry == null) {
            return Match.NEW;
        }
        if (entry.digest != digest) {
            return Match.OTHER;
        }
        CompletableFuture<AppendResult> outcome = entry.outcome;
        return new Match(Known.REPEAT, outcome == null ? CompletableFuture.completedFuture(entry.result) : outcome);
    }

    /** Remembers a put that is on its way, and forgets it again if it turns out not to be stored. */
    public void add(IdempotencyKey.Fingerprint key, long digest, CompletableFuture<AppendResult> outcome) {
        Entry entry = new Entry(digest, total.clock().nanoTime());
        entry.outcome = outcome;
        add(key, entry);
        outcome.whenComplete((result, failure) -> ended(key, entry, result));
    }

    private synchronized void ended(IdempotencyKey.Fingerprint key, Entry entry, @Nullable AppendResult result) {
        entry.result = result;
        entry.outcome = null;
        if (result == null && byKey.remove(key, entry)) {
            total.removed(1);
        }
    }

    /** Remembers a put that an earlier owner, or life, has stored. Puts are given in order, oldest first. */
    void restore(KeyedPut put, Durability durability) {
        Entry entry = new Entry(put.digest(), total.clock().nanoTime());
        entry.result = new AppendResult(put.firstOffset(), put.messageCount(), put.appendTimestampMs(), durability);
        add(put.key(), entry);
    }

    private void add(IdempotencyKey.Fingerprint key, Entry entry) {
        synchronized (this) {
            if (byKey.remove(key) != null) {
                total.removed(1);
            }
            byKey.put(key, entry);
            forgetOld(entry.addedAtNanos);
        }
        total.added(this, key, entry);
    }

    private void forgetOld(long nowNanos) {
        Iterator<Entry> oldestFirst = byKey.values().iterator();
        while (oldestFirst.hasNext()) {
            Entry oldest = oldestFirst.next();
            boolean tooMany = byKey.size() > config.maxPerPartition();
            if (!tooMany && !config.isTooOld(oldest.addedAtNanos, nowNanos)) {
                return;
            }
            oldestFirst.remove();
            total.removed(1);
        }
    }

    /** Forgets a put, unless it was forgotten before: others need the memory. */
    synchronized void forget(IdempotencyKey.Fingerprint key, Entry entry) {
        if (byKey.remove(key, entry)) {
            total.removed(1);
        }
    }

    /** The partition is not served here any more. */
    synchronized void clear() {
        total.removed(byKey.size());
        byKey.clear();
    }

    public synchronized int size() {
        return byKey.size();
    }
}
