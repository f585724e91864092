package io.talosgateway.rest.journal.lane;

import java.util.EnumSet;
import java.util.Set;

/** What a lane does with puts. */
enum LaneState {
    /** Takes and writes them. */
    OPEN,
    /** Refuses them, because the storage does not take them; tries again until it does. */
    BROKEN,
    /** Refuses them for good: another incarnation has fenced the journal. */
    FENCED,
    /** Its committer has ended; no append is decided any more. */
    ENDED;

    /** The states that may follow. A lane that is broken may be so for another reason. */
    private Set<LaneState> next() {
        return switch (this) {
            case OPEN -> EnumSet.of(BROKEN, FENCED, ENDED);
            case BROKEN -> EnumSet.of(OPEN, BROKEN, FENCED, ENDED);
            case FENCED -> EnumSet.of(ENDED);
            case ENDED -> EnumSet.noneOf(LaneState.class);
        };
    }

    /** @throws IllegalStateException if the one must not follow the other: a bug */
    LaneState to(LaneState other) {
        if (!next().contains(other)) {
            throw new IllegalStateException("a lane that is " + this + " does not become " + other);
        }
        return other;
    }
}
