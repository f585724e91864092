package io.talosgateway.scheduler;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A hashed timing wheel: timeouts hang in the slot of their tick, modulo the number of slots, so that adding and removing
 * cost O(1). A timeout further away than one turn stays in its slot until its turn has come. See G. Varghese and A. Lauck,
 * "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 6.
 *
 * <p>A pure model: no thread, lock or clock. Not safe for use by several threads.
 */
final class TimerWheel {

    static final int NOT_IN_WHEEL = -1;

    private final long tickNanos;
    private final long startNanos;
    private final @Nullable Timeout[] slots;
    /** Every tick below this one has been visited. */
    private long nextTick;

    private int size;

    /**
     * @param tickNanos how exact the wheel is, in nanoseconds
     * @param slots how many ticks one turn has; a power of two, best longer than the usual timeout
     * @param startNanos the current reading of the clock whose readings are passed in later
     */
    TimerWheel(long tickNanos, int slots, long startNanos) {
        if (tickNanos <= 0 || Integer.bitCount(slots) != 1) {
            throw new IllegalArgumentException(
                    "a positive tick and a power of two of slots: " + tickNanos + ", " + slots);
        }
        this.tickNanos = tickNanos;
        this.startNanos = startNanos;
        this.slots = new Timeout[slots];
    }

    int size() {
        return size;
    }

    void add(Timeout timeout, long atNanos) {
        if (timeout.slot != NOT_IN_WHEEL) {
            throw new IllegalStateException("already scheduled");
        }
        timeout.atNanos = atNanos;
        int slot = slotOf(Math.max(nextTick, tickOf(atNanos)));
        Timeout head = slots[slot];
        timeout.slot = slot;
        timeout.next = head;
        if (head != null) {
            head.previous = timeout;
        }
        slots[slot] = timeout;
        size++;
    }

    /** Returns false if the timeout is not in the wheel. */
    boolean remove(Timeout timeout) {
        if (timeout.slot == NOT_IN_WHEEL) {
            return false;
        }
        Timeout previous = timeout.previous;
        Timeout next = timeout.next;
        if (previous == null) {
            slots[timeout.slot] = next;
        } else {
            previous.next = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        timeout.previous = null;
        timeout.next = null;
        timeout.slot = NOT_IN_WHEEL;
        size--;
        return true;
    }

    /** Removes every timeout whose tick has ended and hands it to {@code passed}. */
    void advance(long nowNanos, Consumer<Timeout> passed) {
        long endTick = Math.floorDiv(nowNanos - startNanos, tickNanos);
        // After a long pause every slot needs one visit, not one for each tick missed.
        long firstTick = Math.max(nextTick, endTick - slots.length);
        for (long tick = firstTick; tick < endTick; tick++) {
            Timeout timeout = slots[slotOf(tick)];
            while (timeout != null) {
                Timeout following = timeout.next;
                if (timeout.atNanos - nowNanos <= 0) {
                    remove(timeout);
                    passed.accept(timeout);
                }
                timeout = following;
            }
        }
        nextTick = Math.max(nextTick, endTick);
    }

    /**
     * How long from now until a slot with something in it ends, in nanoseconds: at that time {@link #advance} may have
     * something to do. {@link Long#MAX_VALUE} if the wheel is empty.
     */
    long nanosToNextSlot(long nowNanos) {
        if (size == 0) {
            return Long.MAX_VALUE;
        }
        for (long tick = nextTick; ; tick++) {
            if (slots[slotOf(tick)] != null) {
                return Math.max(0, startNanos + (tick + 1) * tickNanos - nowNanos);
            }
        }
    }

    private long tickOf(long atNanos) {
        return Math.floorDiv(atNanos - startNanos, tickNanos);
    }

    private int slotOf(long tick) {
        return (int) (tick & (slots.length - 1));
    }
}
