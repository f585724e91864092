package io.talosgateway.scheduler;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class WheelTimerTest {

    private final NanoClock clock = System::nanoTime;

    @Test
    void callsBackAfterTheDeadlineAlsoWhenAnEarlierOneIsAddedLater() throws Exception {
        try (WheelTimer timer = new WheelTimer("timer", clock).start()) {
            CompletableFuture<Long> late = new CompletableFuture<>();
            CompletableFuture<Long> early = new CompletableFuture<>();
            Deadline lateDeadline = Deadline.after(clock, Duration.ofMillis(80));
            Deadline earlyDeadline = Deadline.after(clock, Duration.ofMillis(10));
            timer.schedule(completing(late), lateDeadline);
            timer.schedule(completing(early), earlyDeadline);
            assertThat(early.get(120, TimeUnit.SECONDS) - earlyDeadline.atNanos())
                    .isNotNegative();
            assertThat(late.get(120, TimeUnit.SECONDS) - lateDeadline.atNanos()).isNotNegative();
        }
    }

    @Test
    void cancelledTimeoutIsNotCalledBack() throws Exception {
        try (WheelTimer timer = new WheelTimer("timer", clock).start()) {
            CompletableFuture<Long> cancelled = new CompletableFuture<>();
            CompletableFuture<Long> after = new CompletableFuture<>();
            CompletableFuture<Void> goesOn = new CompletableFuture<>();
            CompletableFuture<Void> held = new CompletableFuture<>();
            // Holds the timer's thread, so that nothing is due before the other is cancelled.
            timer.schedule(
                    new Timeout() {
                        @Override
                        protected void deadlinePassed() {
                            held.complete(null);
                            goesOn.join();
                        }
                    },
                    Deadline.after(clock, Duration.ofMillis(1)));
            held.get(120, TimeUnit.SECONDS);
            Timeout timeout = completing(cancelled);
            timer.schedule(timeout, Deadline.after(clock, Duration.ofMillis(20)));
            timer.schedule(completing(after), Deadline.after(clock, Duration.ofMillis(40)));
            assertThat(timer.cancel(timeout)).isTrue();
            assertThat(timer.cancel(timeout)).isFalse();
            assertThat(timer.cancel(completing(new CompletableFuture<>())))
                    .as("never scheduled")
                    .isFalse();
            goesOn.complete(null);
            after.get(120, TimeUnit.SECONDS);
            assertThat(cancelled).isNotDone();
        }
    }

    private Timeout completing(CompletableFuture<Long> future) {
        return new Timeout() {
            @Override
            protected void deadlinePassed() {
                future.complete(clock.nanoTime());
            }
        };
    }
}
