package io.talosgateway.scheduler;

/** A monotonic clock. Its readings are comparable with each other only, like those of {@link System#nanoTime()}. */
@FunctionalInterface
public interface NanoClock {

    /** The current reading in nanoseconds; may be negative and may overflow: compare by difference. */
    long nanoTime();
}
