package io.talosgateway.rest.hosting;

import java.util.Map;
import java.util.Set;

/** Where this host is with serving partitions, in one incarnation. */
public enum HostingState {
    /** Finding out what there is to serve. */
    STARTING,
    /** Fencing and reading what earlier owners left. */
    RECOVERING,
    /** Serving. */
    SERVING,
    /** Finishing what was taken. */
    DRAINING,
    /** The session is over, or the host shuts down. */
    ENDED,
    /** Could not take over; see the log. */
    FAILED;

    private static final Map<HostingState, Set<HostingState>> PREDECESSORS = Map.of(
            STARTING, Set.of(ENDED),
            RECOVERING, Set.of(STARTING),
            SERVING, Set.of(RECOVERING),
            DRAINING, Set.of(STARTING, RECOVERING, SERVING),
            ENDED, Set.of(DRAINING, FAILED),
            FAILED, Set.of(STARTING, RECOVERING));

    boolean mayFollow(HostingState previous) {
        return PREDECESSORS.getOrDefault(this, Set.of()).contains(previous);
    }
}
