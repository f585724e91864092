package io.talosgateway.rest.admission;

import java.time.Duration;
import java.util.Arrays;

import io.prometheus.client.CollectorRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A small request takes a tenth of a millisecond, and counts for two. */
final class RefusalPacerTest {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long MS = SECOND / 1000;

    private final CollectorRegistry registry = new CollectorRegistry();
    private long nowNanos = Long.MAX_VALUE - SECOND;
    private final RefusalPacer pacer = new RefusalPacer(registry, () -> nowNanos);

    private void refuse(String client, int times) {
        for (int time = 0; time < times; time++) {
            assertThat(pacer.waitNanos(client, 0)).isZero();
        }
    }

    @Test
    void fewRefusalsAreToldAtOnce() {
        refuse("a", 1_000);
        assertThat(pacer.waitNanos("a", 0)).isEqualTo(2 * MS);
        assertThat(registry.getSampleValue("talos_refusals_delayed_total")).isEqualTo(1);
    }

    @Test
    void clientThatGoesOnGetsOneEveryTwoMilliseconds() {
        refuse("a", 1_000);
        for (int time = 0; time < 10_000; time++) {
            nowNanos += 2 * MS;
            assertThat(pacer.waitNanos("a", 0)).isZero();
        }
        assertThat(pacer.waitNanos("a", 0)).isEqualTo(2 * MS);
        nowNanos += 20 * MS;
        refuse("a", 9);
        assertThat(pacer.waitNanos("a", 0)).isEqualTo(2 * MS);
    }

    @Test
    void requestThatTookLongWaitsTwentyTimesAsLong() {
        refuse("a", 1_000);
        assertThat(pacer.waitNanos("a", 20 * MS)).isEqualTo(402 * MS);
        assertThat(pacer.waitNanos("a", 20 * MS)).isEqualTo(804 * MS);
    }

    @Test
    void nobodyWaitsForLongerThanFiveSeconds() {
        for (int time = 0; time < 100; time++) {
            assertThat(pacer.waitNanos("a", Duration.ofMinutes(1).toNanos())).isEqualTo(5 * SECOND);
        }
        nowNanos += 7 * SECOND;
        refuse("a", 1_000);
    }

    @Test
    void quietClientIsGivenNoMoreThanOthers() {
        refuse("a", 1);
        nowNanos += 3_600 * SECOND;
        refuse("a", 1_000);
        assertThat(pacer.waitNanos("a", 0)).isEqualTo(2 * MS);
    }

    @Test
    void clientThatAsksAgainWhenItWasToldToDoesNotWait() {
        for (int time = 0; time < 10; time++) {
            assertThat(pacer.waitNanos("a", 0, Duration.ofSeconds(3))).isZero();
            nowNanos += 3 * SECOND;
        }
        assertThat(registry.getSampleValue("talos_refusals_delayed_total")).isZero();
    }

    @Test
    void clientThatAsksAgainSoonerWaitsForAboutASecondEachTime() {
        assertThat(pacer.waitNanos("a", 0, Duration.ofSeconds(3))).isZero();
        for (int time = 0; time < 10; time++) {
            nowNanos += 3 * SECOND - 1;
            assertThat(pacer.waitNanos("a", 0, Duration.ofSeconds(3))).isBetween(SECOND / 2, SECOND * 3 / 2);
        }
        assertThat(registry.getSampleValue("talos_refusals_delayed_total")).isEqualTo(10);
        assertThat(pacer.waitNanos("a", 0)).as("of what can never be taken").isZero();
        long waitOfAnother = pacer.waitNanos("b", 0, Duration.ofSeconds(3));
        assertThat(waitOfAnother).isZero();
    }

    @Test
    void connectionsThatAreRefusedTogetherDoNotComeBackTogether() {
        pacer.waitNanos("a", 0, Duration.ofSeconds(1));
        long[] waits = new long[64];
        for (int connection = 0; connection < waits.length; connection++) {
            waits[connection] = pacer.waitNanos("a", 0, Duration.ofSeconds(1));
        }
        Arrays.sort(waits);
        for (int next = 1; next < waits.length; next++) {
            assertThat(waits[next] - waits[next - 1]).isBetween(5 * MS, 30 * MS);
        }
    }

    @Test
    void othersDoNotWait() {
        pacer.waitNanos("a", SECOND);
        refuse("b", 1_000);
    }
}
