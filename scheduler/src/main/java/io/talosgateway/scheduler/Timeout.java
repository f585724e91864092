package io.talosgateway.scheduler;

/**
 * Something that happens when a deadline passes, unless it is cancelled before. Subclassed by what waits, so that waiting
 * costs no further object; an instance is scheduled at most once at a time, with one timer.
 */
public abstract class Timeout extends WheelEntry {

    /** Whether a timer was ever asked to look after it: most of what waits ends before it would have to be. */
    volatile boolean wasScheduled;

    /** Called once, by the timer's thread, after the deadline: must not block and must not throw. */
    protected abstract void deadlinePassed();
}
