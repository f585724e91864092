package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.List;

/**
 * When something was done to which gateway: from the fault until it is ready again. Meanwhile it cannot be held to answer;
 * everybody else can. Instants are nanoseconds since the run began. Safe for use by any thread.
 */
final class FaultWindows {

    private static final long OPEN = Long.MAX_VALUE;

    private final List<Window> windows = new ArrayList<>();

    private record Window(int gateway, long fromNanos, long untilNanos) {}

    synchronized void begin(int gateway, long nowNanos) {
        windows.add(new Window(gateway, nowNanos, OPEN));
    }

    /** The gateway is well again. */
    synchronized void end(int gateway, long nowNanos) {
        windows.replaceAll(window -> window.gateway == gateway && window.untilNanos == OPEN
                ? new Window(gateway, window.fromNanos, nowNanos)
                : window);
    }

    /** Whether a request to a gateway met a fault of it. */
    synchronized boolean touch(int gateway, long startNanos, long endNanos) {
        return windows.stream()
                .anyMatch(window ->
                        window.gateway == gateway && startNanos <= window.untilNanos && endNanos >= window.fromNanos);
    }
}
