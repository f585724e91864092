package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class TimerWheelTest {

    private static final long TICK = 1_000_000;

    private final TimerWheel<Timeout> wheel = new TimerWheel<>(TICK, 16, 0);
    private final List<Timeout> passed = new ArrayList<>();

    @Test
    void timeoutPassesWithinATickOfItsDeadline() {
        Timeout timeout = add(5 * TICK + 1);
        wheel.advance(5 * TICK, passed::add);
        assertThat(passed).isEmpty();
        wheel.advance(6 * TICK, passed::add);
        assertThat(passed).containsExactly(timeout);
        assertThat(wheel.size()).isZero();
    }

    @Test
    void timeoutBeyondOneTurnWaitsForItsTurn() {
        Timeout timeout = add(40 * TICK);
        wheel.advance(39 * TICK, passed::add);
        assertThat(passed).isEmpty();
        wheel.advance(41 * TICK, passed::add);
        assertThat(passed).containsExactly(timeout);
    }

    @Test
    void timeoutInThePastPassesAtTheNextAdvance() {
        wheel.advance(20 * TICK, passed::add);
        Timeout timeout = add(3 * TICK);
        wheel.advance(21 * TICK, passed::add);
        assertThat(passed).containsExactly(timeout);
    }

    @Test
    void removedTimeoutDoesNotPass() {
        Timeout timeout = add(2 * TICK);
        assertThat(wheel.remove(timeout)).isTrue();
        assertThat(wheel.remove(timeout)).isFalse();
        wheel.advance(100 * TICK, passed::add);
        assertThat(passed).isEmpty();
    }

    @Test
    void longPauseVisitsEverySlotOnce() {
        Timeout near = add(3 * TICK);
        Timeout far = add(1000 * TICK);
        wheel.advance(2000 * TICK, passed::add);
        assertThat(passed).containsExactlyInAnyOrder(near, far);
    }

    @Test
    void sleepsUntilTheNextSlotThatHoldsSomething() {
        assertThat(wheel.nanosToNextSlot(0)).isEqualTo(Long.MAX_VALUE);
        add(5 * TICK);
        assertThat(wheel.nanosToNextSlot(2 * TICK)).isEqualTo(4 * TICK);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void everyTimeoutPassesOnceAndOnTime(long seed) {
        Random random = new Random(seed);
        Map<Timeout, Long> waiting = new HashMap<>();
        long now = 0;
        for (int step = 0; step < 2000; step++) {
            if (random.nextInt(3) > 0) {
                long at = now + random.nextInt(60) * TICK + random.nextInt(1000);
                waiting.put(add(at), at);
            } else {
                now += random.nextInt(10) * TICK + random.nextInt(1000);
                wheel.advance(now, passed::add);
                for (Timeout timeout : passed) {
                    Long at = waiting.remove(timeout);
                    assertThat(at).as("passes once").isNotNull();
                    assertThat(at).as("not early").isLessThanOrEqualTo(now);
                }
                passed.clear();
                long latest = now - TICK;
                assertThat(waiting.values()).as("not late").allMatch(at -> at > latest);
            }
            assertThat(wheel.size()).isEqualTo(waiting.size());
        }
    }

    private Timeout add(long atNanos) {
        Timeout timeout = new Timeout() {
            @Override
            protected void deadlinePassed() {}
        };
        wheel.add(timeout, atNanos);
        return timeout;
    }
}
