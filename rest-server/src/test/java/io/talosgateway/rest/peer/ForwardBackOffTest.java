package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

/** How long a host is left alone that cannot be reached, by a clock that only the test moves. */
final class ForwardBackOffTest {

    private static final Duration MIN = ForwardConfig.DEFAULT.minBackOff();
    private static final Duration MAX = ForwardConfig.DEFAULT.maxBackOff();

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final CollectorRegistry registry = new CollectorRegistry();
    private final ScriptedOwner owner = new ScriptedOwner();
    private final Forwarder forwarder;

    ForwardBackOffTest() throws Exception {
        forwarder = fixture.forwarder(ForwardConfig.DEFAULT, time, registry);
    }

    @AfterEach
    void close() throws Exception {
        owner.close();
        fixture.close();
    }

    private CompletableFuture<PutResult> put() {
        return forwarder.owner(owner.peer()).put(fixture.put("x", null, Deadline.after(time, Duration.ofMinutes(1))));
    }

    /** A request that tries to connect; the host ends the connection at once. */
    private void tryInVain() throws Exception {
        CompletableFuture<PutResult> put = put();
        owner.accept().close();
        assertThat(failure(put).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
    }

    /** Refused by the caller, without another thread or a connection. */
    private void assertRefusedAtOnce() throws Exception {
        CompletableFuture<PutResult> put = put();

        assertThat(put).isCompletedExceptionally();
        GatewayException failure = failure(put);
        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(failure.detail()).contains("cannot be reached", "nothing was done");
    }

    @Test
    void pauseDoublesUpToTheBoundAndNoConnectionIsTriedMeanwhile() throws Exception {
        long longestNanos = MIN.toNanos();
        for (int attempt = 0; attempt < 12; attempt++) {
            tryInVain(); // would wait for ever if no connection were tried
            time.advance(Duration.ofNanos(longestNanos / 2 - 1));
            assertRefusedAtOnce();
            time.advance(Duration.ofNanos(longestNanos / 2 + 1));
            longestNanos = Math.min(2 * longestNanos, MAX.toNanos());
        }
        assertThat(longestNanos).isEqualTo(MAX.toNanos());
    }

    @Test
    void hostThatAnswersAgainIsTriedAsQuicklyAsAtFirst() throws Exception {
        for (int attempt = 0; attempt < 8; attempt++) {
            tryInVain();
            time.advance(MAX);
        }
        CompletableFuture<PutResult> put = put();
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.stored(line.nextPut(), 4);
            assertThat(get(put).firstOffset()).isEqualTo(4);
        }
        Await.until(() -> gauge("talos_forward_connections") == 0);

        tryInVain();
        time.advance(MIN);
        tryInVain();
    }

    @Test
    void hostThatSaysNothingIsGivenUpAfterTheTimeForConnecting() throws Exception {
        List<CompletableFuture<PutResult>> puts = List.of(put(), put(), put());
        try (RawConnection silent = owner.accept()) {
            silent.receive(); // the greeting, which is not answered
            time.advance(ForwardConfig.DEFAULT.connectTimeout());

            for (CompletableFuture<PutResult> put : puts) {
                assertThat(failure(put).detail()).contains("it does not answer", "nothing was done");
            }
            assertThat(silent.isEnded()).isTrue();
            assertRefusedAtOnce();
        }
    }

    @Test
    void manyRequestsToALostHostCostOneConnection() throws Exception {
        List<CompletableFuture<PutResult>> puts = List.of(put(), put(), put(), put(), put(), put());
        RawConnection first = owner.accept();
        owner.close(); // a second connection would be refused, and refusal counted as a second failure
        first.close();

        for (CompletableFuture<PutResult> put : puts) {
            assertThat(failure(put).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        }
        assertThat(gauge("talos_forward_back_off")).isEqualTo(1);
        time.advance(MIN);
        assertThat(gauge("talos_forward_back_off")).isZero();
    }

    @Test
    void requestIsNotForgottenWhenThePauseEndsWhileItIsLookedAt() throws Exception {
        owner.close();
        AtomicLong nowNanos = new AtomicLong();
        Forwarder quick = fixture.forwarder(() -> nowNanos.addAndGet(MIN.toNanos() * 6 / 10));
        for (int number = 0; number < 20; number++) {
            Peer peer = new Peer("host" + number, 1, owner.peer().address());
            CompletableFuture<PutResult> put = quick.owner(peer)
                    .put(fixture.put(
                            "x", null, Deadline.at(Duration.ofMinutes(50).toNanos())));

            assertThat(failure(put).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        }
    }

    private double gauge(String name) {
        return registry.getSampleValue(name, new String[] {"host"}, new String[] {ScriptedOwner.NAME});
    }
}
