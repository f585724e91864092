package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.List;

/**
 * When something was done to which gateway: from the fault until it is ready again. Meanwhile it cannot be held to answer;
 * everybody else can. Instants are nanoseconds since the run began. Safe for use by any thread.
 */
final class FaultWindows {

    private final List<Window> windows = new ArrayList<>();

    private static final class Window {
        private final int gateway;
        private final long fromNanos;
        private long untilNanos = Long.MAX_VALUE;

        private Window(int gateway, long fromNanos) {
            this.gateway = gateway;
            this.fromNanos = fromNanos;
        }
    }

    synchronized void begin(int gateway, long nowNanos) {
        windows.add(new Window(gateway, nowNanos));
    }

    /** The gateway is well again. */
    synchronized void end(int gateway, long nowNanos) {
        for (Window window : windows) {
            if (window.gateway == gateway && window.untilNanos == Long.MAX_VALUE) {
                window.untilNanos = nowNanos;
            }
        }
    }

    /** Whether a request to a gateway met a fault of it. */
    synchronized boolean touch(int gateway, long startNanos, long endNanos) {
        for (Window window : windows) {
            if (window.gateway == gateway && startNanos <= window.untilNanos && endNanos >= window.fromNanos) {
                return true;
            }
        }
        return false;
    }
}
