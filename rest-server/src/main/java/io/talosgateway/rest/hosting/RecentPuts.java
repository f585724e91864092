package io.talosgateway.rest.hosting;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.journal.AppendResult;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.topic.Durability;
import org.jspecify.annotations.Nullable;

/**
 * The recent puts of a partition that had an idempotency key, those on their way included, so that a repeat is recognised.
 * The oldest go when there are too many or they are too old. Safe for use by any thread.
 */
public final class RecentPuts {

    private static final long NO_TIME = 0;

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
        final long addedAtMs;
        /** Until the put has ended; then null, and the result is set. */
        private @Nullable CompletableFuture<AppendResult> outcome;

        private @Nullable AppendResult result;

        Entry(long digest, long addedAtMs) {
            this.digest = digest;
            this.addedAtMs = addedAtMs;
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
    public void add(IdempotencyKey.Fingerprint key, long digest, CompletableFuture<AppendResult> outcome, long nowMs) {
        Entry entry = new Entry(digest, nowMs);
        entry.outcome = outcome;
        synchronized (this) {
            put(key, entry, nowMs);
        }
        total.added(this, key, entry, nowMs);
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
        Entry entry = new Entry(put.digest(), put.appendTimestampMs());
        entry.result = new AppendResult(put.firstOffset(), put.messageCount(), put.appendTimestampMs(), durability);
        synchronized (this) {
            put(put.key(), entry, put.appendTimestampMs());
        }
        // Its time is that of another host's clock: nothing of others is too old by it.
        total.added(this, put.key(), entry, NO_TIME);
    }

    private void put(IdempotencyKey.Fingerprint key, Entry entry, long nowMs) {
        if (byKey.remove(key) != null) {
            total.removed(1);
        }
        byKey.put(key, entry);
        forgetOld(nowMs);
    }

    private void forgetOld(long nowMs) {
        Iterator<Entry> oldestFirst = byKey.values().iterator();
        while (oldestFirst.hasNext()) {
            Entry oldest = oldestFirst.next();
            boolean tooMany = byKey.size() > config.maxPerPartition();
            if (!tooMany && !config.isTooOld(oldest.addedAtMs, nowMs)) {
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
