package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

/** What waits for one host is bounded in number and bytes, and what is refused is refused clearly. */
final class ForwardLimitsTest {

    private static final int MAX_QUEUED = 10;
    private static final int MAX_QUEUED_BYTES = 1000;

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final CollectorRegistry registry = new CollectorRegistry();
    private final ScriptedOwner owner = new ScriptedOwner();
    private final Forwarder forwarder;

    ForwardLimitsTest() throws Exception {
        forwarder = fixture.forwarder(ForwardFixture.config(1, 2, MAX_QUEUED, MAX_QUEUED_BYTES), time, registry);
    }

    @AfterEach
    void close() throws Exception {
        owner.close();
        fixture.close();
    }

    private CompletableFuture<PutResult> put(String payload) {
        return forwarder
                .owner(owner.peer())
                .put(fixture.put(payload, null, Deadline.after(time, Duration.ofMinutes(1))));
    }

    private List<CompletableFuture<PutResult>> puts(int count, String payload) {
        List<CompletableFuture<PutResult>> puts = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            puts.add(put(payload));
        }
        return puts;
    }

    private double gauge(String name) {
        return registry.getSampleValue(name, new String[] {"host"}, new String[] {ScriptedOwner.NAME});
    }

    private void assertFull(CompletableFuture<?> answer) throws Exception {
        assertThat(answer).isCompletedExceptionally();
        GatewayException failure = failure(answer);
        assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(failure.retry()).isEqualTo(RetryAdvice.AFTER_BACKOFF);
        assertThat(failure.detail()).contains("Too many requests wait for host owner", "nothing was done");
    }

    @Test
    void requestBeyondTheNumberIsRefusedUntilThereIsRoom() throws Exception {
        CompletableFuture<PutResult> sent = put("x");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            ScriptedOwner.Asked first = line.nextPut();
            List<CompletableFuture<PutResult>> waiting = puts(MAX_QUEUED, "x");

            assertFull(put("x"));
            assertFull(forwarder.owner(owner.peer()).offsetAt(ForwardFixture.PARTITION, 1, Deadline.NONE));
            assertThat(gauge("talos_forward_queued_requests")).isEqualTo(MAX_QUEUED);

            line.stored(first, 1);
            get(sent);
            ScriptedOwner.Asked second = line.nextPut(); // it has left the queue
            waiting.add(put("x"));
            line.stored(second, 2);
            for (int number = 1; number < waiting.size(); number++) {
                line.stored(line.nextPut(), 2 + number);
            }
            for (int number = 0; number < waiting.size(); number++) {
                assertThat(get(waiting.get(number)).firstOffset()).isEqualTo(2 + number);
            }
            assertThat(gauge("talos_forward_queued_requests")).isZero();
            assertThat(gauge("talos_forward_queued_bytes")).isZero();
        }
    }

    @Test
    void requestBeyondTheBytesIsRefused() throws Exception {
        put("x");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            puts(3, "y".repeat(300));

            assertFull(put("z".repeat(101)));
            put("z".repeat(100));
            assertThat(gauge("talos_forward_queued_bytes")).isEqualTo(MAX_QUEUED_BYTES);
            assertFull(put("1"));
        }
    }

    @Test
    void onePutIsTakenHoweverLarge() throws Exception {
        put("x");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            ScriptedOwner.Asked first = line.nextPut();
            CompletableFuture<PutResult> large = put("y".repeat(100 * MAX_QUEUED_BYTES));
            assertFull(put("z"));

            line.stored(first, 1);
            line.stored(line.nextPut(), 2);
            assertThat(get(large).firstOffset()).isEqualTo(2);
        }
    }

    @Test
    void fullQueueOfOneHostRefusesNothingForAnother() throws Exception {
        ForwardFixture.Owner other = fixture.owner("other");
        put("x");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            puts(MAX_QUEUED, "x");
            assertFull(put("x"));

            get(forwarder.owner(other.peer()).put(fixture.put("y", null, Deadline.NONE)));
        }
    }

    @Test
    void withdrawnPutIsNotSentAndGivesItsPlaceBack() throws Exception {
        put("first");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            ScriptedOwner.Asked first = line.nextPut();
            List<CompletableFuture<PutResult>> withdrawn = puts(MAX_QUEUED - 1, "withdrawn");
            CompletableFuture<PutResult> last = put("last");
            withdrawn.forEach(put -> put.cancel(false));

            line.stored(first, 1);
            ScriptedOwner.Asked next = line.nextPut();

            assertThat(next.isOf(fixture.put("last"))).isTrue();
            assertThat(gauge("talos_forward_queued_requests")).isZero();
            line.stored(next, 2);
            assertThat(get(last).firstOffset()).isEqualTo(2);
        }
    }

    @Test
    void queueIsEmptyOnceTheTimeOfWhatWaitsIsOver() throws Exception {
        put("first");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            List<CompletableFuture<PutResult>> waiting = puts(MAX_QUEUED, "x");

            time.advance(Duration.ofMinutes(1));

            for (CompletableFuture<PutResult> put : waiting) {
                assertThat(failure(put).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
            }
            Await.until(() -> gauge("talos_forward_queued_requests") == 0);
            Await.until(() -> gauge("talos_forward_queued_bytes") == 0);
            forwarder.close();
            assertThat(time.scheduled()).isZero();
        }
    }
}
