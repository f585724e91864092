package io.talosgateway.loadgen.verify;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** Waits until all is well: every gateway is ready, and every partition takes a put. For one thread. */
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
        try (Readiness readiness = new Readiness(context.cluster(), context.watch());
                Calls calls = new Calls(context)) {
            for (var away = readiness.notReady(); !away.isEmpty(); away = readiness.notReady()) {
                if (context.nowNanos() > untilNanos) {
                    return String.join(", ", away) + " not ready";
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
            for (int partition = 0; partition < context.plan().partitions(); partition++) {
                String answer = put(calls, partition, untilNanos);
                if (answer != null) {
                    return "partition %d takes no put: %s".formatted(partition, answer);
                }
            }
            return null;
        }
    }

    /** The last answer, if it never was stored. */
    private @Nullable String put(Calls calls, int partition, long untilNanos) throws InterruptedException {
        Put put = new Put(context.plan().prober(), puts++, partition, 1);
        int timeoutMs = (int) context.plan().timeout().toMillis();
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
