package io.talosgateway.scheduler;

/** Importance of a task, the most important first. Matters between the ready keys of one worker only. */
public enum Priority {
    /** Keeps the gateway itself going. */
    CONTROL(0),
    /** Work that another host has already waited for. */
    FORWARDED(1),
    /** Puts and reads of the tail. */
    NORMAL(2),
    /** Reads of old messages. */
    CATCH_UP(3);

    static final int COUNT = 4;

    /** 0 for the most important, then rising by one. */
    final int rank;

    Priority(int rank) {
        this.rank = rank;
    }
}
