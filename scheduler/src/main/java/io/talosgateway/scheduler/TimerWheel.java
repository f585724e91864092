package io.talosgateway.scheduler;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * A hashed timing wheel: timeouts hang in the slot of their tick, modulo the number of slots, so that adding and removing
 * cost O(1). A timeout further away than one turn stays in its slot until its turn has come. See G. Varghese and A. Lauck,
 * "Hashed and Hierarchical Timing Wheels", SOSP 1987, scheme 6.
 *
 * <p>A pure model: no thread, lock or clock. Not safe for use by several threads.
 *
 * @param <T> what hangs in it; all entries of one wheel are of this type
 */
final class TimerWheel<T extends WheelEntry> {

    static final int NOT_IN_WHEEL = -1;

    private final long tickNanos;
    private final long startNanos;
    private final @Nullable WheelEntry[] slots;
    /** Every tick below this one has been visited for the last time. */
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
        this.slots = new WheelEntry[slots];
    }

    int size() {
        return size;
    }

    void add(T timeout, long atNanos) {
        if (timeout.slot != NOT_IN_WHEEL) {
            throw new IllegalStateException("already scheduled");
        }
        timeout.atNanos = atNanos;
        int slot = slotOf(Math.max(nextTick, tickOf(atNanos)));
        WheelEntry head = slots[slot];
        timeout.slot = slot;
        timeout.nextInSlot = head;
        if (head != null) {
            head.previousInSlot = timeout;
        }
        slots[slot] = timeout;
        size++;
    }

    /** Returns false if the timeout is not in the wheel. */
    boolean remove(T timeout) {
        if (timeout.slot == NOT_IN_WHEEL) {
            return false;
        }
        WheelEntry previous = timeout.previousInSlot;
        WheelEntry next = timeout.nextInSlot;
        if (previous == null) {
            slots[timeout.slot] = next;
        } else {
            previous.nextInSlot = next;
        }
        if (next != null) {
            next.previousInSlot = previous;
        }
        timeout.previousInSlot = null;
        timeout.nextInSlot = null;
        timeout.slot = NOT_IN_WHEEL;
        size--;
        return true;
    }

    /** Removes every timeout that has passed and hands it to {@code passed}. */
    void advance(long nowNanos, Consumer<? super T> passed) {
        long currentTick = Math.floorDiv(nowNanos - startNanos, tickNanos);
        // After a long pause every slot needs one visit, not one for each tick missed.
        long firstTick = Math.max(nextTick, currentTick - slots.length + 1);
        for (long tick = firstTick; tick <= currentTick; tick++) {
            T timeout = cast(slots[slotOf(tick)]);
            while (timeout != null) {
                T following = cast(timeout.nextInSlot);
                if (timeout.atNanos - nowNanos <= 0) {
                    remove(timeout);
                    passed.accept(timeout);
                }
                timeout = following;
            }
        }
        nextTick = Math.max(nextTick, currentTick);
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

    /** Only {@link #add} puts something into a slot. */
    @SuppressWarnings("unchecked")
    private @Nullable T cast(@Nullable WheelEntry entry) {
        return (T) entry;
    }

    private long tickOf(long atNanos) {
        return Math.floorDiv(atNanos - startNanos, tickNanos);
    }

    private int slotOf(long tick) {
        return (int) (tick & (slots.length - 1));
    }
}
