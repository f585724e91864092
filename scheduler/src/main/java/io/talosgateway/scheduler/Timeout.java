package io.talosgateway.scheduler;

/**
 * Something that happens when a deadline passes, unless it is cancelled before. Subclassed by what waits, so that waiting
 * costs no further object; an instance is scheduled at most once at a time, with one timer.
 */
public abstract class Timeout extends WheelEntry {

    /** Whether a timer was ever asked to look after it; set before the timer does, so that nobody who cancels is told too early that there is nothing. */
    volatile boolean wasScheduled;

    /** Called once, by the timer's thread, after the deadline: must not block and must not throw. */
    protected abstract void deadlinePassed();
}
