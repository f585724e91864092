package io.talosgateway.rest.routing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class MovePatienceTest {

    private final SteppedTime time = new SteppedTime();
    private final MovePatience patience = new MovePatience(Duration.ofSeconds(2), time, Runnable::run, time);
    private final long beganNanos = time.nanoTime();
    private int attempts;

    private void pass(long ms) {
        for (long passed = 0; passed < ms; passed++) {
            time.advance(Duration.ofMillis(1));
        }
    }

    private static GatewayException error(ErrorCode code) {
        return new GatewayException(code, "because of a test");
    }

    /** Fails until an instant. */
    private CompletableFuture<String> ask(Deadline deadline, long movingMs, ErrorCode code) {
        return patience.ask(deadline, () -> {
            attempts++;
            if (time.nanoTime() - beganNanos < TimeUnit.MILLISECONDS.toNanos(movingMs)) {
                throw error(code);
            }
            return CompletableFuture.completedFuture("served");
        });
    }

    private static void assertFailed(CompletableFuture<String> answer, ErrorCode code) {
        assertThat(answer).isCompletedExceptionally();
        assertThat(answer.handle((result, failure) ->
                        GatewayException.in(failure).orElseThrow().code()))
                .isCompletedWithValue(code);
    }

    @Test
    void aRequestThatIsServedIsAskedOnce() {
        assertThat(ask(Deadline.NONE, 0, ErrorCode.PARTITION_MOVING)).isCompletedWithValue("served");
        assertThat(attempts).isEqualTo(1);
    }

    @Test
    void aPartitionThatMovesIsWaitedFor() {
        CompletableFuture<String> answer = ask(Deadline.NONE, 500, ErrorCode.PARTITION_MOVING);
        pass(499);
        assertThat(answer).isNotDone();
        assertThat(patience.waiting()).isEqualTo(1);

        pass(200);

        assertThat(answer).isCompletedWithValue("served");
        assertThat(patience.waiting()).isZero();
        // At 0, 20, 60, 140, 300, 500 ms.
        assertThat(attempts).isEqualTo(6);
    }

    @Test
    void aMoveThatTakesTooLongIsTold() {
        CompletableFuture<String> answer = ask(Deadline.NONE, 60_000, ErrorCode.PARTITION_MOVING);
        pass(1_700);
        assertThat(answer).isNotDone();

        pass(300);

        assertFailed(answer, ErrorCode.PARTITION_MOVING);
        assertThat(patience.waiting()).isZero();
    }

    @Test
    void nobodyWaitsBeyondTheDeadline() {
        Deadline deadline = Deadline.after(time, Duration.ofMillis(100));
        CompletableFuture<String> answer = ask(deadline, 60_000, ErrorCode.PARTITION_MOVING);

        pass(99);

        assertFailed(answer, ErrorCode.PARTITION_MOVING);
    }

    @Test
    void everythingElseIsToldAtOnce() {
        assertFailed(ask(Deadline.NONE, 500, ErrorCode.PARTITION_NOT_SERVING), ErrorCode.PARTITION_NOT_SERVING);
        assertFailed(ask(Deadline.NONE, 500, ErrorCode.OUTCOME_UNKNOWN), ErrorCode.OUTCOME_UNKNOWN);
        assertThat(attempts).isEqualTo(2);
    }

    @Test
    void noMoreThanSoManyWait() {
        IntStream.range(0, MovePatience.MOST).forEach(number -> ask(Deadline.NONE, 60_000, ErrorCode.PARTITION_MOVING));

        assertFailed(ask(Deadline.NONE, 60_000, ErrorCode.PARTITION_MOVING), ErrorCode.PARTITION_MOVING);

        assertThat(patience.waiting()).isEqualTo(MovePatience.MOST);
        pass(2_000);
        assertThat(patience.waiting()).isZero();
    }
}
