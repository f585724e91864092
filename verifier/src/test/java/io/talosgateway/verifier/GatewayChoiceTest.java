package io.talosgateway.verifier;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which gateways are asked. */
final class GatewayChoiceTest {

    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SplittableRandom random = new SplittableRandom(1);
    private final GatewayChoice choice = new GatewayChoice(3);

    private int[] choose(int times, long nowNanos) {
        int[] counts = new int[3];
        for (int number = 0; number < times; number++) {
            counts[choice.choose(random, nowNanos)]++;
        }
        return counts;
    }

    @Test
    void allAreAskedAlike() {
        for (int count : choose(3_000, 0)) {
            assertThat(count).isBetween(900, 1_100);
        }
    }

    @Test
    void oneThatDoesNotAnswerIsHardlyAskedUntilItDoes() {
        choice.failed(1, 0);
        assertThat(choose(3_000, 249 * MS)[1]).isBetween(5, 100);

        choice.answered(1);
        assertThat(choose(3_000, 249 * MS)[1]).isBetween(900, 1_100);
    }

    @Test
    void oneRequestTriesItAgain() {
        GatewayChoice ofOne = new GatewayChoice(2);
        ofOne.failed(0, 0);
        ofOne.failed(1, 0);
        // When all are silent, any is asked.
        assertThat(ofOne.choose(random, 100 * MS)).isBetween(0, 1);

        choice.failed(0, 0);
        int[] afterThePause = choose(300, 250 * MS);
        assertThat(afterThePause[0]).isBetween(1, 20);
    }
}
