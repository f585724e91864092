package io.talosgateway.client;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RetryPolicyTest {

    private final RetryPolicy policy = new RetryPolicy(3, Duration.ofMillis(100), Duration.ofMillis(350));

    @Test
    void pausesDoubleUpToTheLongest() {
        assertThat(policy.pauseAfter(1, 0)).isEqualTo(Duration.ofMillis(100));
        assertThat(policy.pauseAfter(2, 0)).isEqualTo(Duration.ofMillis(200));
        assertThat(policy.pauseAfter(3, 0)).isEqualTo(Duration.ofMillis(350));
        assertThat(policy.pauseAfter(1_000, 0)).isEqualTo(Duration.ofMillis(350));
    }

    @Test
    void randomTakesAwayUpToHalf() {
        assertThat(policy.pauseAfter(1, 1)).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void onlyWhatIsSafeIsTriedAgainAndNotForEver() {
        assertThat(policy.mayTryAgain(1, Retry.AFTER_BACKOFF)).isTrue();
        assertThat(policy.mayTryAgain(2, Retry.SAME_KEY)).isTrue();
        assertThat(policy.mayTryAgain(3, Retry.AFTER_BACKOFF)).isFalse();
        assertThat(policy.mayTryAgain(1, Retry.NEVER)).isFalse();
        assertThat(policy.mayTryAgain(1, Retry.OUTCOME_UNKNOWN)).isFalse();
    }
}
