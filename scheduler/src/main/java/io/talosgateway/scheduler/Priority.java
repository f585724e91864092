package io.talosgateway.scheduler;

/**
 * Importance of a task, the most important first: control work; then by the class of what it works for; then by the kind
 * of work. Matters between the ready keys of one worker only.
 */
public enum Priority {
    /** Keeps the process itself going. */
    CONTROL(0),
    HIGH_FORWARDED(1),
    HIGH_NORMAL(2),
    HIGH_CATCH_UP(3),
    /** Work that another host has already waited for. */
    FORWARDED(4),
    /** What somebody waits for now. */
    NORMAL(5),
    /** What has waited for long, such as reads of old data. */
    CATCH_UP(6),
    LOW_FORWARDED(7),
    LOW_NORMAL(8),
    LOW_CATCH_UP(9);

    static final int COUNT = 10;

    /** Kind of work. */
    public enum Work {
        FORWARDED,
        NORMAL,
        CATCH_UP
    }

    /** What work is for. */
    public enum Importance {
        HIGH,
        NORMAL,
        LOW
    }

    private final int rank;

    Priority(int rank) {
        this.rank = rank;
    }

    public static Priority of(Importance importance, Work work) {
        return switch (importance) {
            case HIGH -> choose(work, HIGH_FORWARDED, HIGH_NORMAL, HIGH_CATCH_UP);
            case NORMAL -> choose(work, FORWARDED, NORMAL, CATCH_UP);
            case LOW -> choose(work, LOW_FORWARDED, LOW_NORMAL, LOW_CATCH_UP);
        };
    }

    private static Priority choose(Work work, Priority forwarded, Priority normal, Priority catchUp) {
        return switch (work) {
            case FORWARDED -> forwarded;
            case NORMAL -> normal;
            case CATCH_UP -> catchUp;
        };
    }

    /** 0 for the most important, then rising by one. */
    int rank() {
        return rank;
    }
}
