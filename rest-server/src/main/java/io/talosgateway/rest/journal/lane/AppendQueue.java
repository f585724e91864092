package io.talosgateway.rest.journal.lane;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The appends that wait for a lane, oldest first, bounded in number and bytes. Many add, the committer takes. */
final class AppendQueue {

    private final int maxPuts;
    private final long maxBytes;
    private final LaneDelay delay;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();

    // Guarded by lock.
    private final ArrayDeque<Append> appends = new ArrayDeque<>();
    private long bytes;
    private long accepted;
    private boolean woken;
    private boolean closed;

    AppendQueue(int maxPuts, long maxBytes, LaneDelay delay) {
        this.delay = delay;
        this.maxPuts = maxPuts;
        this.maxBytes = maxBytes;
    }

    /** What became of an offer. */
    enum Offer {
        TAKEN,
        FULL,
        /** It would probably not be durable before its deadline. */
        TOO_LATE,
        CLOSED
    }

    Offer offer(Append append, long nowNanos) {
        lock.lock();
        try {
            if (closed) {
                return Offer.CLOSED;
            }
            boolean fits = appends.isEmpty() || bytes + append.batch().bytes() <= maxBytes;
            if (appends.size() >= maxPuts || !fits) {
                return Offer.FULL;
            }
            if (delay.expectedNanos(appends.size(), bytes) > append.deadline().remainingNanos(nowNanos)) {
                return Offer.TOO_LATE;
            }
            appends.addLast(append);
            accepted++;
            bytes += append.batch().bytes();
            if (appends.size() == 1) {
                notEmpty.signal();
            }
            return Offer.TAKEN;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the oldest appends up to the limits, one at least, waiting for one if there is none.
     *
     * @return none if the time runs out, or the queue is closed and empty, or {@link #wakeUp} was called
     */
    List<Append> take(int maxGroupPuts, long maxGroupBytes, long waitNanos) throws InterruptedException {
        List<Append> group = new ArrayList<>();
        lock.lockInterruptibly();
        try {
            long remainingNanos = waitNanos;
            while (appends.isEmpty() && !closed && !woken && remainingNanos > 0) {
                remainingNanos = notEmpty.awaitNanos(remainingNanos);
            }
            woken = false;
            long groupBytes = 0;
            for (Append next = appends.peekFirst(); next != null; next = appends.peekFirst()) {
                int size = next.batch().bytes();
                if (!group.isEmpty() && (group.size() >= maxGroupPuts || groupBytes + size > maxGroupBytes)) {
                    break;
                }
                group.add(appends.removeFirst());
                groupBytes += size;
                bytes -= size;
            }
        } finally {
            lock.unlock();
        }
        return group;
    }

    /** The end of the queue: everything that is in it now, or was before, comes before this mark. */
    long mark() {
        lock.lock();
        try {
            return accepted;
        } finally {
            lock.unlock();
        }
    }

    /** Whether everything before a mark was taken. */
    boolean isPast(long mark) {
        lock.lock();
        try {
            return accepted - appends.size() >= mark;
        } finally {
            lock.unlock();
        }
    }

    /** Has {@link #take} return, with or without appends. */
    void wakeUp() {
        lock.lock();
        try {
            woken = true;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Takes everything at once. */
    List<Append> takeAll() {
        lock.lock();
        try {
            List<Append> all = new ArrayList<>(appends);
            appends.clear();
            bytes = 0;
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses new appends; what is in the queue can still be taken. */
    void close() {
        lock.lock();
        try {
            closed = true;
            notEmpty.signal();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosedAndEmpty() {
        lock.lock();
        try {
            return closed && appends.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return appends.size();
        } finally {
            lock.unlock();
        }
    }

    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }
}
