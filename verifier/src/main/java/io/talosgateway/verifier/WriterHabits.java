package io.talosgateway.verifier;

import java.time.Duration;
import java.util.random.RandomGenerator;

import io.talosgateway.client.RetryPolicy;

/**
 * What a writer does, by chance: how much it puts, how long it waits for an answer, when it tries again, when it gives up though it
 * need not, and when it repeats what was acknowledged. For one thread.
 */
final class WriterHabits {

    private static final RetryPolicy RETRIES = new RetryPolicy(200, Duration.ofMillis(20), Duration.ofMillis(500));

    private static final int MAX_BATCH = 8;
    private static final double BATCHES = 0.2;
    private static final double SHORT_TIMEOUTS = 0.2;
    private static final double TINY_TIMEOUTS = 0.05;
    private static final int SHORT = 4;
    private static final int TINY = 20;
    /** So that there are puts of which it is sure that they must not be there. */
    private static final double GIVES_UP_WHEN_REFUSED = 0.2;
    /** So that there are puts of which only the end tells. */
    private static final double GIVES_UP_WHEN_UNKNOWN = 0.05;

    private static final double REPEATS = 0.03;
    private static final double WITHOUT_KEY = 0.1;

    private final RandomGenerator random;
    private final int timeoutMs;

    /** @param timeout what most puts are given */
    WriterHabits(RandomGenerator random, Duration timeout) {
        this.random = random;
        this.timeoutMs = (int) timeout.toMillis();
    }

    /** Messages of the next put. */
    int count() {
        return random.nextDouble() < BATCHES ? random.nextInt(2, MAX_BATCH + 1) : 1;
    }

    /** What the next attempt is given; sometimes so little that there may be no time. */
    int timeoutMs() {
        double chance = random.nextDouble();
        if (chance < TINY_TIMEOUTS) {
            return Math.max(1, timeoutMs / TINY);
        }
        return chance < SHORT_TIMEOUTS + TINY_TIMEOUTS ? shortTimeoutMs(timeoutMs) : timeoutMs;
    }

    /** The least that an attempt is given in which there should be time enough. */
    static int shortTimeoutMs(Duration timeout) {
        return shortTimeoutMs((int) timeout.toMillis());
    }

    private static int shortTimeoutMs(int timeoutMs) {
        return Math.max(1, timeoutMs / SHORT);
    }

    /** Whether the next put has an idempotency key. */
    boolean sendsKey() {
        return random.nextDouble() >= WITHOUT_KEY;
    }

    /** Whether the next thing to do is to repeat an old put. */
    boolean repeats() {
        return random.nextDouble() < REPEATS;
    }

    /** Whether to try again after so many attempts: only where the answer allows it. */
    boolean triesAgain(PutAnswer answer, int attempts) {
        if (answer.outcome() == Outcome.STORED || !answer.mayTryAgain() || attempts >= RETRIES.maxAttempts()) {
            return false;
        }
        double givesUp = answer.outcome() == Outcome.UNKNOWN ? GIVES_UP_WHEN_UNKNOWN : GIVES_UP_WHEN_REFUSED;
        return random.nextDouble() >= givesUp;
    }

    /** The pause before the next attempt: as long as the gateway says, if it does. */
    Duration pause(PutAnswer answer, int attempts) {
        return answer.retryAfterSeconds() >= 0
                ? Duration.ofSeconds(answer.retryAfterSeconds())
                : RETRIES.pauseAfter(attempts, random.nextDouble());
    }
}
