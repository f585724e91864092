package io.talosgateway.scheduler;

/**
 * Something that happens when a deadline passes, unless it is cancelled before. Subclassed by what waits, so that waiting
 * costs no further object; an instance is scheduled at most once at a time, with one timer.
 */
public abstract class Timeout extends WheelEntry {

    /** Called once, by the timer's thread, after the deadline: must not block and must not throw. */
    protected abstract void deadlinePassed();
}
