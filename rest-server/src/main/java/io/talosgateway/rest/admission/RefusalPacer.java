package io.talosgateway.rest.admission;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.talosgateway.scheduler.NanoClock;

/**
 * Has clients wait for answers that refuse them, if they send much that is refused: of each client, refused requests take a twentieth
 * of a processor, and not all. A bucket of time for each client that fills at that rate, the generic cell rate algorithm of ITU-T
 * I.371. A client that asks for too much, and again sooner than it was told to, waits for about a second each time: refusing it takes next
 * to nothing from others. Safe for use by any thread.
 */
public final class RefusalPacer {

    /** One part in so many of a processor's time. */
    private static final int SHARE = 20;
    /** What a small request takes, about. */
    private static final long REQUEST_NANOS = 100_000;
    /** A thousand small requests may be refused at once. */
    private static final long FREE_NANOS = Duration.ofSeconds(2).toNanos();
    /** Clients give up that wait for longer. */
    private static final long MOST_WAIT_NANOS = Duration.ofSeconds(5).toNanos();

    /** For a client that asks again before it was told to: half a second more or less. */
    private static final long IMPATIENT_WAIT_NANOS = Duration.ofSeconds(1).toNanos();
    /** The golden ratio: multiples of it, without what is before the point, are spread evenly however many there are. */
    private static final double SPREAD = 0.6180339887498949;

    private static final int MAX_CLIENTS = 10_000;

    private final NanoClock clock;
    private final Counter delayed;
    /** When what was refused has filled its part of the time. */
    private final Cache<String, Long> paidAtNanos = forClients();

    private final AtomicInteger impatient = new AtomicInteger();
    /** When a client may ask again that asked for too much. */
    private final Cache<String, Long> mayAskAtNanos = forClients();

    public RefusalPacer(CollectorRegistry registry, NanoClock clock) {
        this.clock = clock;
        this.delayed = Counter.build(
                        "talos_refusals_delayed_total",
                        "Answers that refuse a request and had to wait, because much of the same client is refused.")
                .register(registry);
    }

    private static Cache<String, Long> forClients() {
        return Caffeine.newBuilder()
                .maximumSize(MAX_CLIENTS)
                .executor(Runnable::run)
                .build();
    }

    /**
     * How long the answer to a refused request is to wait.
     *
     * @param client a key, or an address
     * @param workedNanos what the request took beyond what any request takes
     * @return nanoseconds, 0 if it is to be sent at once
     */
    public long waitNanos(String client, long workedNanos) {
        return counted(unpaidNanos(client, workedNanos, clock.nanoTime()));
    }

    /**
     * The same for a request that would be taken later, such as one that exceeds a quota.
     *
     * @param retryAfter what the client is told to wait before it asks again
     */
    public long waitNanos(String client, long workedNanos, Duration retryAfter) {
        long nowNanos = clock.nanoTime();
        long unpaid = unpaidNanos(client, workedNanos, nowNanos);
        Long mayAskAt = mayAskAtNanos.asMap().put(client, nowNanos + retryAfter.toNanos());
        boolean early = mayAskAt != null && nowNanos - mayAskAt < 0;
        return counted(early ? Math.max(unpaid, impatientWaitNanos()) : unpaid);
    }

    /** Another one each time: connections that were refused together would all ask again together. */
    private long impatientWaitNanos() {
        double turn = SPREAD * impatient.getAndIncrement();
        return (long) (IMPATIENT_WAIT_NANOS * (0.5 + turn - Math.floor(turn)));
    }

    private long counted(long waitNanos) {
        if (waitNanos > 0) {
            delayed.inc();
        }
        return waitNanos;
    }

    private long unpaidNanos(String client, long workedNanos, long nowNanos) {
        long paid = paidAtNanos.asMap().compute(client, (name, before) -> {
            long from = before == null || before - nowNanos < 0 ? nowNanos : before;
            long paidAt = from + SHARE * (REQUEST_NANOS + workedNanos);
            return Math.min(paidAt - nowNanos, FREE_NANOS + MOST_WAIT_NANOS) + nowNanos;
        });
        return Math.max(0, paid - nowNanos - FREE_NANOS);
    }
}
