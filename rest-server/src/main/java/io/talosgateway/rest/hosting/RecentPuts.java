package io.talosgateway.rest.hosting;

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

    private final RecentPutsTable table;
    /** Of the table, and guarded by it. */
    final SlotLists.Ends slots = new SlotLists.Ends();
    /** Of the table. */
    final long multiplier;

    RecentPuts(RecentPutsTable table) {
        this.table = table;
        this.multiplier = table.nextMultiplier();
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
        static final Match NEW = new Match(Known.NEW, null);
        static final Match OTHER = new Match(Known.OTHER_MESSAGES, null);
    }

    public Match find(IdempotencyKey.Fingerprint key, long digest) {
        return table.find(this, key, digest);
    }

    /** Remembers a put that is on its way, and forgets it again if it turns out not to be stored. */
    public void add(IdempotencyKey.Fingerprint key, long digest, CompletableFuture<AppendResult> outcome) {
        int slot = table.add(this, key, digest, outcome);
        outcome.whenComplete((result, failure) -> table.ended(slot, outcome, result));
    }

    /** Remembers a put that an earlier owner, or life, has stored. Puts are given in order, oldest first. */
    void restore(KeyedPut put, Durability durability) {
        table.addStored(
                this,
                put.key(),
                put.digest(),
                new AppendResult(put.firstOffset(), put.messageCount(), put.appendTimestampMs(), durability));
    }

    /** The partition is not served here any more. */
    void clear() {
        table.forgetAll(this);
    }

    public int size() {
        return table.count(this);
    }
}
