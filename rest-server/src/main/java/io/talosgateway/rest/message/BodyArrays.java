package io.talosgateway.rest.message;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A pool of arrays in which bodies are read. An array that was used before needs no zeros, and is often still in a cache of the
 * processor. Whoever takes an array need not give it back. Safe for use by any thread.
 */
public final class BodyArrays {

    /** What is smaller costs less than the way here. */
    private static final int MIN_BYTES = 2 * 1024;
    /** Lengths are multiples of it, so that a body finds the array of another of about its size. */
    private static final int STEP_BYTES = 512;
    /** The last for a body of 64 KiB with room around it. */
    private static final int LENGTHS = 129;

    private final long maxBytes;

    // Guarded by this; by the length in steps, the last given first.
    private final List<Deque<byte[]>> free = new ArrayList<>();
    private long freeBytes;

    /** @param maxBytes of all arrays that wait for a body */
    public BodyArrays(long maxBytes) {
        this.maxBytes = maxBytes;
        for (int steps = 0; steps <= LENGTHS; steps++) {
            free.add(new ArrayDeque<>());
        }
    }

    /** An array that is at least so long. It may hold bytes of an earlier body. */
    public byte[] take(int length) {
        int steps = (length + STEP_BYTES - 1) / STEP_BYTES;
        if (length < MIN_BYTES || steps > LENGTHS) {
            return new byte[length];
        }
        synchronized (this) {
            byte[] known = free.get(steps).poll();
            if (known != null) {
                freeBytes -= known.length;
                return known;
            }
        }
        return new byte[steps * STEP_BYTES];
    }

    /** Gives an array back that nobody uses any more. A very small or large one is left to the collector. */
    public void give(byte[] array) {
        int steps = array.length / STEP_BYTES;
        if (array.length < MIN_BYTES || steps > LENGTHS || array.length > maxBytes) {
            return;
        }
        synchronized (this) {
            if (freeBytes + array.length > maxBytes) {
                // Perhaps of lengths that nobody asks for any more.
                free.forEach(Deque::clear);
                freeBytes = 0;
            }
            free.get(steps).push(array);
            freeBytes += array.length;
        }
    }
}
