package io.talosgateway.verifier;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** Waits until all is well: every gateway is ready, every partition takes a put, and none is slow. For one thread. */
final class Settling {

    private static final long PAUSE_MS = 100;

    private final VerifyContext context;
    private final SplittableRandom random;
    private int puts;

    Settling(VerifyContext context, SplittableRandom random) {
        this.context = context;
        this.random = random;
    }

    /**
     * Waits.
     *
     * @param untilNanos when to give up
     * @return null if all is well, or what is not
     */
    @Nullable
    String settle(long untilNanos) throws InterruptedException {
        try (Calls calls = new Calls(context)) {
            for (var away = context.cluster().notReady();
                    !away.isEmpty();
                    away = context.cluster().notReady()) {
                if (context.nowNanos() > untilNanos) {
                    return String.join(", ", away) + " not ready";
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
            for (int partition = 0; partition < context.plan().partitions; partition++) {
                String answer = put(calls, partition, untilNanos);
                if (answer != null) {
                    return "partition %d takes no put: %s".formatted(partition, answer);
                }
            }
            return null;
        }
    }

    /**
     * Puts by way of every gateway to every partition, again and again until none of these puts takes longer than the shortest time that
     * writers often give. Gateways that were just started need some tenths of a second for their first requests, and more if
     * they are all asked at once: that is not a fault that anybody made.
     *
     * @param untilNanos when to go on although it is slow
     */
    void warmUp(long untilNanos) throws InterruptedException {
        long quickNanos = TimeUnit.MILLISECONDS.toNanos(WriterHabits.shortTimeoutMs(context.plan().timeout));
        try (Calls calls = new Calls(context)) {
            boolean slow = true;
            while (slow && context.nowNanos() < untilNanos) {
                slow = false;
                for (int gateway = 0; gateway < context.cluster().gateways().size(); gateway++) {
                    for (int partition = 0; partition < context.plan().partitions; partition++) {
                        long sentAtNanos = context.nowNanos();
                        calls.put(newPut(partition), gateway, timeoutMs());
                        slow |= context.nowNanos() - sentAtNanos > quickNanos;
                    }
                }
            }
        }
    }

    private Put newPut(int partition) {
        return Put.ofOne(context.plan().prober(), puts++, partition);
    }

    private int timeoutMs() {
        return (int) context.plan().timeout.toMillis();
    }

    /** The last answer, if it never was stored. */
    private @Nullable String put(Calls calls, int partition, long untilNanos) throws InterruptedException {
        Put put = newPut(partition);
        int timeoutMs = timeoutMs();
        while (true) {
            PutAnswer answer = calls.put(put, context.choice().choose(random, context.nowNanos()), timeoutMs);
            if (answer.outcome() == Outcome.STORED) {
                return null;
            }
            if (context.nowNanos() > untilNanos) {
                return answer.code();
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
    }
}
