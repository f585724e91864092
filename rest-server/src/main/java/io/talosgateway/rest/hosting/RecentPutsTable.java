package io.talosgateway.rest.hosting;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.hosting.RecentPuts.Known;
import io.talosgateway.rest.hosting.RecentPuts.Match;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.message.IdempotencyKey.Fingerprint;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The recent puts of all partitions, as numbers in arrays: some 90 bytes a put, and no object that the collector would copy while a
 * put is remembered. Of too many the oldest are forgotten, whichever partition's they are, so that a busy partition does not take the
 * memory of the others, nor an idle one keep it. Safe for use by any thread.
 */
final class RecentPutsTable {

    /*
     * A put has a slot. The slots of a partition, all that are taken, and those that are free are lists; a hash table with chains
     * finds a slot by partition and key. The arrays grow with the puts, and never shrink: their size is bounded.
     */

    private static final int FIRST_SLOTS = 64;

    // What a slot has in numbers.
    private static final int KEY = 0;
    private static final int KEY_2 = 1;
    private static final int DIGEST = 2;
    private static final int ADDED_AT = 3;
    private static final int FIRST_OFFSET = 4;
    private static final int APPENDED_MS = 5;
    /** Messages, and durability in the lowest bit. */
    private static final int STORED_AS = 6;

    private static final int NUMBERS = 7;

    private final RecentPutsConfig config;
    private final NanoClock clock;
    private final SecureRandom multipliers = new SecureRandom();

    // Guarded by this.
    private int slots;
    private long[] numbers = {};
    private @Nullable RecentPuts[] owners = {};
    /** Until a put has ended; then null, and its result is set. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private @Nullable CompletableFuture<AppendResult>[] outcomes = new CompletableFuture[0];

    private int[] nextInChain = {};
    private int[] chains = {};
    private final SlotLists byAge = new SlotLists();
    private final SlotLists.Ends taken = new SlotLists.Ends();
    private final SlotLists.Ends free = new SlotLists.Ends();
    private final SlotLists byPartition = new SlotLists();

    RecentPutsTable(RecentPutsConfig config, NanoClock clock) {
        this.config = config;
        this.clock = clock;
    }

    /** Puts that are remembered. */
    synchronized int count() {
        return taken.size();
    }

    synchronized int count(RecentPuts of) {
        return of.slots.size();
    }

    synchronized Match find(RecentPuts of, Fingerprint key, long digest) {
        int slot = slotOf(of, key);
        if (slot == SlotLists.NONE) {
            return Match.NEW;
        }
        if (number(slot, DIGEST) != digest) {
            return Match.OTHER;
        }
        CompletableFuture<AppendResult> outcome = outcomes[slot];
        return new Match(Known.REPEAT, outcome == null ? CompletableFuture.completedFuture(result(slot)) : outcome);
    }

    /** Remembers a put that is on its way, in place of an earlier one with the same key. */
    synchronized int add(RecentPuts of, Fingerprint key, long digest, CompletableFuture<AppendResult> outcome) {
        int slot = take(of, key, digest);
        outcomes[slot] = outcome;
        return slot;
    }

    /** Remembers a put that is stored. */
    synchronized void addStored(RecentPuts of, Fingerprint key, long digest, AppendResult result) {
        setResult(take(of, key, digest), result);
    }

    /** A put that is on its way has ended: it is forgotten if it is not stored. It may be forgotten already. */
    synchronized void ended(int slot, CompletableFuture<AppendResult> outcome, @Nullable AppendResult result) {
        if (outcomes[slot] != outcome) {
            return;
        }
        if (result == null) {
            forget(slot);
        } else {
            outcomes[slot] = null;
            setResult(slot, result);
        }
    }

    synchronized void forgetAll(RecentPuts of) {
        while (of.slots.oldest() != SlotLists.NONE) {
            forget(of.slots.oldest());
        }
    }

    private int take(RecentPuts of, Fingerprint key, long digest) {
        int earlier = slotOf(of, key);
        if (earlier != SlotLists.NONE) {
            forget(earlier);
        }
        long nowNanos = clock.nanoTime();
        makeRoom(of, nowNanos);
        int slot = free.oldest();
        byAge.remove(free, slot);
        byAge.addNewest(taken, slot);
        byPartition.addNewest(of.slots, slot);
        owners[slot] = of;
        set(slot, KEY, key.first());
        set(slot, KEY_2, key.second());
        set(slot, DIGEST, digest);
        set(slot, ADDED_AT, nowNanos);
        addToChain(of, slot);
        return slot;
    }

    private void makeRoom(RecentPuts of, long nowNanos) {
        while (taken.size() > 0 && config.isTooOld(number(taken.oldest(), ADDED_AT), nowNanos)) {
            forget(taken.oldest());
        }
        if (of.slots.size() == config.maxPerPartition()) {
            forget(of.slots.oldest());
        }
        if (taken.size() == config.maxTotal()) {
            forget(taken.oldest());
        }
        if (free.size() == 0) {
            grow();
        }
    }

    private void grow() {
        int before = slots;
        slots = Math.min(config.maxTotal(), Math.max(FIRST_SLOTS, 2 * before));
        numbers = Arrays.copyOf(numbers, NUMBERS * slots);
        owners = Arrays.copyOf(owners, slots);
        outcomes = Arrays.copyOf(outcomes, slots);
        byAge.grow(slots);
        byPartition.grow(slots);
        for (int slot = before; slot < slots; slot++) {
            byAge.addNewest(free, slot);
        }
        nextInChain = new int[slots];
        chains = new int[2 * Integer.highestOneBit(slots)];
        Arrays.fill(chains, SlotLists.NONE);
        for (int slot = taken.oldest(); slot != SlotLists.NONE; slot = byAge.newerThan(slot)) {
            addToChain(owner(slot), slot);
        }
    }

    private RecentPuts owner(int slot) {
        return Objects.requireNonNull(owners[slot]);
    }

    private void forget(int slot) {
        RecentPuts of = owner(slot);
        removeFromChain(of, slot);
        byPartition.remove(of.slots, slot);
        byAge.remove(taken, slot);
        byAge.addNewest(free, slot);
        owners[slot] = null;
        outcomes[slot] = null;
    }

    // --- Numbers ---

    private long number(int slot, int which) {
        return numbers[NUMBERS * slot + which];
    }

    private void set(int slot, int which, long number) {
        numbers[NUMBERS * slot + which] = number;
    }

    private void setResult(int slot, AppendResult result) {
        set(slot, FIRST_OFFSET, result.firstOffset());
        set(slot, APPENDED_MS, result.appendTimestampMs());
        int disk = result.durability() == Durability.DISK ? 1 : 0;
        set(slot, STORED_AS, 2L * result.messageCount() + disk);
    }

    private AppendResult result(int slot) {
        long storedAs = number(slot, STORED_AS);
        return new AppendResult(
                number(slot, FIRST_OFFSET),
                (int) (storedAs >> 1),
                number(slot, APPENDED_MS),
                (storedAs & 1) == 1 ? Durability.DISK : Durability.MEMORY);
    }

    // --- Chains ---

    /**
     * For one partition, by which its keys are multiplied: random and odd, so that nobody can send keys that meet in one chain
     * (multiply-shift hashing, Dietzfelbinger et al. 1997).
     */
    long nextMultiplier() {
        return multipliers.nextLong() | 1;
    }

    private int chain(RecentPuts of, long key) {
        return (int) ((key * of.multiplier) >>> (Long.SIZE - Integer.numberOfTrailingZeros(chains.length)));
    }

    private int slotOf(RecentPuts of, Fingerprint key) {
        if (slots == 0) {
            return SlotLists.NONE;
        }
        int slot = chains[chain(of, key.first())];
        while (slot != SlotLists.NONE && !isOf(slot, of, key)) {
            slot = nextInChain[slot];
        }
        return slot;
    }

    private boolean isOf(int slot, RecentPuts of, Fingerprint key) {
        return number(slot, KEY) == key.first() && number(slot, KEY_2) == key.second() && owners[slot] == of;
    }

    private void addToChain(RecentPuts of, int slot) {
        int chain = chain(of, number(slot, KEY));
        nextInChain[slot] = chains[chain];
        chains[chain] = slot;
    }

    private void removeFromChain(RecentPuts of, int slot) {
        int chain = chain(of, number(slot, KEY));
        if (chains[chain] == slot) {
            chains[chain] = nextInChain[slot];
            return;
        }
        int before = chains[chain];
        while (nextInChain[before] != slot) {
            before = nextInChain[before];
        }
        nextInChain[before] = nextInChain[slot];
    }
}
