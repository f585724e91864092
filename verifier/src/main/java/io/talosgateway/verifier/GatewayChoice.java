package io.talosgateway.verifier;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/**
 * Which gateway a request goes to: any, but one that has not answered is left alone for a while, as a load balancer would do, so
 * that not everybody waits for a gateway that is paused. Then one request tries it again. A few requests are sent to it all the
 * same: a gateway that wakes up must find puts that are long given up. Instants are nanoseconds since the run began. Safe for
 * use by any thread.
 */
final class GatewayChoice {

    private static final long FIRST_PAUSE_NANOS = 250_000_000;
    private static final long LONGEST_PAUSE_NANOS = 4_000_000_000L;
    private static final int ONE_OF = 32;

    private final AtomicLongArray aloneUntilNanos;
    private final AtomicLongArray pauseNanos;

    GatewayChoice(int gateways) {
        aloneUntilNanos = new AtomicLongArray(gateways);
        pauseNanos = new AtomicLongArray(gateways);
    }

    int choose(RandomGenerator random, long nowNanos) {
        int gateways = pauseNanos.length();
        int first = random.nextInt(gateways);
        if (pauseNanos.get(first) > 0 && random.nextInt(ONE_OF) == 0) {
            return first;
        }
        for (int step = 0; step < gateways; step++) {
            int gateway = (first + step) % gateways;
            if (mayBeAsked(gateway, nowNanos)) {
                return gateway;
            }
        }
        return first;
    }

    private boolean mayBeAsked(int gateway, long nowNanos) {
        long pause = pauseNanos.get(gateway);
        long until = aloneUntilNanos.get(gateway);
        return pause == 0 || (nowNanos >= until && aloneUntilNanos.compareAndSet(gateway, until, nowNanos + pause));
    }

    void answered(int gateway) {
        pauseNanos.set(gateway, 0);
    }

    /** It has not answered, or takes no connections. */
    void failed(int gateway, long nowNanos) {
        long pause = pauseNanos.updateAndGet(
                gateway, before -> Math.min(LONGEST_PAUSE_NANOS, Math.max(FIRST_PAUSE_NANOS, 2 * before)));
        aloneUntilNanos.set(gateway, nowNanos + pause);
    }
}
