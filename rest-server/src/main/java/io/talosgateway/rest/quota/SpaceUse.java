package io.talosgateway.rest.quota;

import java.time.Duration;

import io.talosgateway.scheduler.NanoClock;

/**
 * What topics take up: what their partitions have told a while ago, and what this host has let in since they were asked. Safe for use
 * by any thread; does not block.
 */
final class SpaceUse {

    private static final long UNKNOWN = -1;

    private final long mostBytes;
    private final long maxAgeNanos;
    private final NanoClock clock;
    private long storedBytes = UNKNOWN;
    /** All that was ever let in here, and how much of it before the partitions were asked. */
    private long admittedBytes;

    private long admittedBeforeBytes;
    private long askedAtNanos;
    private boolean asking;

    /** @param maxAge of what partitions have told */
    SpaceUse(long mostBytes, Duration maxAge, NanoClock clock) {
        this.mostBytes = mostBytes;
        this.maxAgeNanos = maxAge.toNanos();
        this.clock = clock;
    }

    long mostBytes() {
        return mostBytes;
    }

    /** Whether anything is known yet. */
    synchronized boolean isKnown() {
        return storedBytes != UNKNOWN;
    }

    /** What is known to be taken up; 0 while nothing is known. */
    synchronized long usedBytes() {
        return isKnown() ? storedBytes + admittedBytes - admittedBeforeBytes : 0;
    }

    /** Takes room for bytes; false if there would be more than allowed then. Any are let in if nothing is known. */
    synchronized boolean admit(long bytes) {
        if (isKnown() && storedBytes + admittedBytes - admittedBeforeBytes + bytes > mostBytes) {
            return false;
        }
        admittedBytes += bytes;
        return true;
    }

    /** Gives back what was let in, and not put. */
    synchronized void giveBack(long bytes) {
        admittedBytes -= bytes;
    }

    /** Whether the partitions are to be asked; true once only, until they were. */
    synchronized boolean beginAsking() {
        long nowNanos = clock.nanoTime();
        if (asking || (isKnown() && nowNanos - askedAtNanos < maxAgeNanos)) {
            return false;
        }
        asking = true;
        askedAtNanos = nowNanos;
        return true;
    }

    /** How much was let in until now: to be told with the answer of partitions that are asked now. */
    synchronized long admittedBytes() {
        return admittedBytes;
    }

    /** The partitions have told what they take up. */
    synchronized void told(long bytes, long admittedBefore) {
        storedBytes = bytes;
        admittedBeforeBytes = admittedBefore;
        asking = false;
    }

    /** They have not: what was known counts. */
    synchronized void notTold() {
        asking = false;
    }
}
