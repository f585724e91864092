package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

/** The time of a request travels with it, and is kept, by a clock that only the test moves. */
final class ForwardBudgetTest {

    private static final long RESERVE_MS = ForwardConfig.DEFAULT.reserve().toMillis();

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final ScriptedOwner owner = new ScriptedOwner();
    private final Forwarder forwarder;

    ForwardBudgetTest() throws Exception {
        forwarder = fixture.forwarder(ForwardFixture.config(1, 1, 100, 1 << 20), time, new CollectorRegistry());
    }

    @AfterEach
    void close() throws Exception {
        owner.close();
        fixture.close();
    }

    private CompletableFuture<PutResult> put(String payload, long budgetMs) {
        return put(payload, Deadline.after(time, Duration.ofMillis(budgetMs)));
    }

    private CompletableFuture<PutResult> put(String payload, Deadline deadline) {
        return forwarder.owner(owner.peer()).put(fixture.put(payload, null, deadline));
    }

    @Test
    void ownerHasWhatIsLeftWhenTheRequestIsSent() throws Exception {
        CompletableFuture<PutResult> first = put("1", 10_000);
        CompletableFuture<PutResult> second = put("2", 10_000);
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            ScriptedOwner.Asked asked = line.nextPut();
            assertThat(asked.request().getBudgetMs()).isEqualTo(10_000 - RESERVE_MS);

            time.advance(Duration.ofSeconds(4));
            line.stored(asked, 1);
            get(first);
            asked = line.nextPut();

            assertThat(asked.request().getBudgetMs()).isEqualTo(6_000 - RESERVE_MS);
            line.stored(asked, 2);
            get(second);
        }
    }

    @Test
    void ofAShortTimeOnlyAPartIsKeptBack() throws Exception {
        put("1", 8);
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            assertThat(line.nextPut().request().getBudgetMs()).isEqualTo(6);
        }
    }

    @Test
    void requestWithoutADeadlineHasAMinute() throws Exception {
        CompletableFuture<PutResult> put = put("1", Deadline.NONE);
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            assertThat(line.nextPut().request().getBudgetMs()).isEqualTo(60_000 - RESERVE_MS);

            time.advance(Duration.ofMinutes(1));

            assertThat(failure(put).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        }
    }

    @Test
    void deadlineOfTheOwnerIsOnItsOwnClock() throws Exception {
        SteppedTime ofTheOwner = new SteppedTime();
        ofTheOwner.advance(Duration.ofDays(100_000)); // its clock has another zero
        ForwardFixture.Owner real = fixture.owner(PeerConfig.DEFAULT, ofTheOwner);

        get(forwarder.owner(real.peer()).put(fixture.put("x", null, Deadline.after(time, Duration.ofSeconds(3)))));

        assertThat(real.partitions().nextPut().deadline().remainingMs(ofTheOwner.nanoTime()))
                .isEqualTo(3_000 - RESERVE_MS);
    }

    @Test
    void putThatIsNotAnsweredInTimeIsUnknownAndItsConnectionGone() throws Exception {
        CompletableFuture<PutResult> put = forwarder
                .owner(owner.peer())
                .put(fixture.put("x", new IdempotencyKey("k", true), Deadline.after(time, Duration.ofSeconds(1))));
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();

            time.advance(Duration.ofMillis(999));
            assertThat(put).isNotDone();
            time.advance(Duration.ofMillis(1));

            GatewayException failure = failure(put);
            assertThat(failure.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            assertThat(failure.retry()).isEqualTo(RetryAdvice.SAME_KEY);
            assertThat(line.raw().isEnded()).isTrue();
        }
    }

    @Test
    void getThatIsNotAnsweredInTimeMayBeAskedAgain() throws Exception {
        CompletableFuture<?> fetch = forwarder
                .owner(owner.peer())
                .fetch(fixture.get(Duration.ZERO, Deadline.after(time, Duration.ofSeconds(1))));
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextCall();

            time.advance(Duration.ofSeconds(1));

            assertThat(failure(fetch).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
            assertThat(failure(fetch).retry()).isEqualTo(RetryAdvice.AFTER_BACKOFF);
        }
    }

    @Test
    void putWhoseTimeEndsWhileItWaitsIsNotSent() throws Exception {
        CompletableFuture<PutResult> first = put("1", 10_000);
        CompletableFuture<PutResult> late = put("2", 1_000);
        CompletableFuture<PutResult> third = put("3", 10_000);
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            ScriptedOwner.Asked asked = line.nextPut();
            time.advance(Duration.ofSeconds(1));

            GatewayException failure = failure(late);
            assertThat(failure.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
            assertThat(failure.detail()).contains("nothing was done");

            line.stored(asked, 1);
            asked = line.nextPut();
            assertThat(asked.isOf(fixture.put("3"))).isTrue();
            line.stored(asked, 3);
            assertThat(get(first).firstOffset()).isEqualTo(1);
            assertThat(get(third).firstOffset()).isEqualTo(3);
        }
    }

    @Test
    void requestWhoseTimeIsOverIsNotSent() throws Exception {
        CompletableFuture<PutResult> first = put("1", 10_000);
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.stored(line.nextPut(), 1);
            get(first);

            assertThat(failure(put("2", 0)).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);

            CompletableFuture<PutResult> third = put("3", 10_000);
            ScriptedOwner.Asked asked = line.nextPut();
            assertThat(asked.isOf(fixture.put("3"))).isTrue();
            line.stored(asked, 3);
            get(third);
        }
    }

    @Test
    void answerThatComesTooLateFindsNoConnection() throws Exception {
        CompletableFuture<PutResult> slow = put("1", 1_000);
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            time.advance(Duration.ofSeconds(1));
            assertThat(failure(slow).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            assertThat(line.raw().isEnded()).isTrue();

            CompletableFuture<PutResult> next = put("2", 1_000);
            try (ScriptedOwner.Line second = owner.acceptHost()) {
                second.stored(second.nextPut(), 2);
                assertThat(get(next).firstOffset()).isEqualTo(2);
            }
        }
    }
}
