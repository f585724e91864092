package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.talosgateway.rest.peer.ForwardFixture.PARTITION;
import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the caller is told when the owner cannot be reached or dies. The clock stands still: whatever is answered is not
 * answered because time has passed.
 */
final class ForwardFailureTest {

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final ScriptedOwner owner = new ScriptedOwner();
    private final Forwarder forwarder;

    ForwardFailureTest() throws Exception {
        forwarder = fixture.forwarder(ForwardFixture.config(1, 1, 100, 1 << 20), time, new CollectorRegistry());
    }

    @AfterEach
    void close() throws Exception {
        owner.close();
        fixture.close();
    }

    private Deadline soon() {
        return Deadline.after(time, Duration.ofSeconds(10));
    }

    private CompletableFuture<PutResult> put(String payload) {
        return forwarder.owner(owner.peer()).put(fixture.put(payload, null, soon()));
    }

    /** Requests that change nothing at the owner, or may be asked again without harm. */
    private enum Harmless {
        GET,
        WAITING_GET,
        DESCRIBE,
        OFFSET_AT,
        TRIM
    }

    private CompletableFuture<?> ask(Harmless request) {
        Peer peer = owner.peer();
        return switch (request) {
            case GET -> forwarder.owner(peer).fetch(fixture.get(Duration.ZERO, soon()));
            case WAITING_GET -> forwarder.owner(peer).fetch(fixture.get(Duration.ofSeconds(5), soon()));
            case DESCRIBE -> forwarder.owner(peer).describe(List.of(PARTITION), soon());
            case OFFSET_AT -> forwarder.owner(peer).offsetAt(PARTITION, 1, soon());
            case TRIM -> forwarder.owner(peer).trim(PARTITION, 0, 5, soon());
        };
    }

    // --- Not reachable ---

    @Test
    void putToAHostThatRefusesConnectionsIsRefused() throws Exception {
        owner.close();

        GatewayException failure = failure(put("x"));

        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(failure.retry()).isEqualTo(RetryAdvice.AFTER_BACKOFF);
        assertThat(failure.detail()).contains("owner", "cannot be reached", "nothing was done");
    }

    @ParameterizedTest
    @EnumSource
    void everythingElseIsRefusedByAHostThatRefusesConnections(Harmless request) throws Exception {
        owner.close();

        assertThat(failure(ask(request)).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
    }

    @Test
    void addressThatIsNoneIsReported() throws Exception {
        for (String address : List.of("", "no port", "127.0.0.1:99999", "127.0.0.1:0", ":::")) {
            GatewayException failure = failure(
                    forwarder.owner(new Peer("host " + address, 1, address)).put(fixture.put("x", null, soon())));

            assertThat(failure.code()).as(address).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        }
    }

    @Test
    void putIsNotStoredByAnOwnerThatDiesInTheHandshake() throws Exception {
        CompletableFuture<PutResult> put = put("x");
        try (RawConnection connection = owner.accept()) {
            ScriptedOwner.readGreeting(connection);
        }

        assertThat(failure(put).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
    }

    @Test
    void ownerThatComesBackIsReachedAgain() throws Exception {
        ForwardFixture.Owner first = fixture.owner("again");
        get(forwarder.owner(first.peer()).put(fixture.put("x", null, soon())));
        first.server().stop();
        Await.until(() -> {
            CompletableFuture<PutResult> put = forwarder.owner(first.peer()).put(fixture.put("x", null, soon()));
            return put.handle((result, failure) -> failure).join() instanceof GatewayException gone
                    && gone.detail().contains("cannot be reached");
        });

        ForwardFixture.Owner second = fixture.owner("again", first.server().port());
        time.advance(ForwardConfig.DEFAULT.minBackOff());

        get(forwarder.owner(second.peer()).put(fixture.put("y", null, soon())));
        assertThat(second.partitions().nextPut().batch().checksum())
                .isEqualTo(ForwardFixture.batch("y").checksum());
    }

    // --- Dies in the middle ---

    @Test
    void putIsUnknownWhenTheOwnerDiesBeforeItAnswers() throws Exception {
        CompletableFuture<PutResult> put = put("x");
        ScriptedOwner.Line line = owner.acceptHost();
        line.nextPut();
        line.close();

        GatewayException failure = failure(put);

        assertThat(failure.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(failure.retry()).isEqualTo(RetryAdvice.OUTCOME_UNKNOWN);
        assertThat(failure.detail()).contains("may or may not be stored");
    }

    @Test
    void putWithAKeyMayBeRepeatedWhenTheOwnerDies() throws Exception {
        PutRequest keyed = fixture.put("x", new IdempotencyKey("key", true), soon());
        CompletableFuture<PutResult> put = forwarder.owner(owner.peer()).put(keyed);
        ScriptedOwner.Line line = owner.acceptHost();
        line.nextPut();
        line.raw().reset();

        GatewayException failure = failure(put);

        assertThat(failure.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(failure.retry()).isEqualTo(RetryAdvice.SAME_KEY);
    }

    @Test
    void putIsUnknownWhenTheOwnerDiesInTheMiddleOfItsAnswer() throws Exception {
        CompletableFuture<PutResult> put = put("x");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            line.raw().sendBytes((byte) 0, (byte) 0, (byte) 0, (byte) 90, (byte) 1);
        }

        assertThat(failure(put).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @ParameterizedTest
    @EnumSource
    void everythingElseMayBeAskedAgainWhenTheOwnerDies(Harmless request) throws Exception {
        CompletableFuture<?> answer = ask(request);
        ScriptedOwner.Line line = owner.acceptHost();
        line.nextCall();
        line.close();

        GatewayException failure = failure(answer);

        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(failure.retry()).isEqualTo(RetryAdvice.AFTER_BACKOFF);
    }

    @Test
    void putsThatWaitedAreNotHarmedByADeadConnection() throws Exception {
        List<CompletableFuture<PutResult>> puts = List.of(put("1"), put("2"), put("3"));
        ScriptedOwner.Line first = owner.acceptHost();
        first.nextPut();
        first.close();

        assertThat(failure(puts.get(0)).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        try (ScriptedOwner.Line second = owner.acceptHost()) {
            second.stored(second.nextPut(), 20);
            second.stored(second.nextPut(), 30);
            assertThat(get(puts.get(1)).firstOffset()).isEqualTo(20);
            assertThat(get(puts.get(2)).firstOffset()).isEqualTo(30);
        }
    }

    @Test
    void putsThatWaitedAreNotStoredWhenTheOwnerIsGone() throws Exception {
        List<CompletableFuture<PutResult>> puts = List.of(put("1"), put("2"), put("3"));
        ScriptedOwner.Line line = owner.acceptHost();
        line.nextPut();
        owner.close();
        line.close();

        assertThat(failure(puts.get(0)).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        for (CompletableFuture<PutResult> waited : puts.subList(1, 3)) {
            assertThat(failure(waited).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
            assertThat(failure(waited).detail()).contains("nothing was done");
        }
    }

    @Test
    void hostThatLeavesTheClusterAnswersNothingMore() throws Exception {
        CompletableFuture<PutResult> sent = put("1");
        CompletableFuture<PutResult> waits = put("2");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            forwarder.retain(List.of());

            assertThat(failure(sent).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            assertThat(failure(waits).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
            assertThat(line.raw().isEnded()).isTrue();
        }
    }

    @Test
    void newIncarnationReplacesTheOldOneAndNotTheOtherWayRound() throws Exception {
        CompletableFuture<PutResult> toTheOld = put("1");
        try (ScriptedOwner.Line line = owner.acceptHost();
                ScriptedOwner reborn = new ScriptedOwner()) {
            line.nextPut();
            Peer newer = new Peer(ScriptedOwner.NAME, 8, reborn.peer().address());
            CompletableFuture<PutResult> toTheNew = forwarder.owner(newer).put(fixture.put("2", null, soon()));

            assertThat(failure(toTheOld).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            assertThatThrownBy(() -> put("3")).isInstanceOfSatisfying(GatewayException.class, e -> {
                assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
                assertThat(e.detail()).contains("has begun anew", "nothing was done");
            });
            reborn.accept().close();
            assertThat(failure(toTheNew).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        }
    }

    @Test
    void closedForwarderAnswersWhatItHasAndRefusesTheRest() throws Exception {
        CompletableFuture<PutResult> sent = put("1");
        CompletableFuture<PutResult> waits = put("2");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            forwarder.close();
            fixture.answers.shutdown(); // as a host that stops; what it has by now is all that it gets

            assertThat(failure(sent).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            assertThat(failure(waits).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
            assertThatThrownBy(() -> put("3"))
                    .isInstanceOfSatisfying(
                            GatewayException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING));
        }
    }
}
