package io.talosgateway.rest.peer;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.errors.ErrorCode;
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

/**
 * A host that is frozen, as by SIGSTOP, holds only what is meant for it. The clock stands still: all requests to another
 * host are answered while not one of those to the frozen host is.
 */
final class FrozenOwnerTest {

    private static final int CONNECTIONS = 2;
    private static final int MAX_QUEUED = 100;
    private static final int MAX_QUEUED_BYTES = 4 << 20;
    private static final Duration BUDGET = Duration.ofSeconds(10);

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final CollectorRegistry registry = new CollectorRegistry();
    private final ForwardFixture.Owner good;
    private final Forwarder forwarder;

    FrozenOwnerTest() throws Exception {
        good = fixture.owner("good");
        forwarder =
                fixture.forwarder(ForwardFixture.config(CONNECTIONS, 2, MAX_QUEUED, MAX_QUEUED_BYTES), time, registry);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    private List<CompletableFuture<PutResult>> puts(Peer peer, int count, String payload) {
        Deadline deadline = Deadline.after(time, BUDGET);
        return IntStream.range(0, count)
                .mapToObj(number -> forwarder.owner(peer).put(fixture.put(payload, null, deadline)))
                .toList();
    }

    private double gauge(String name) {
        return registry.getSampleValue(name, new String[] {"host"}, new String[] {ScriptedOwner.NAME});
    }

    /** More than the queue could hold at once, all answered. */
    private void assertGoodHostServes() throws Exception {
        for (int round = 0; round < 5; round++) {
            for (CompletableFuture<PutResult> put : puts(good.peer(), MAX_QUEUED, "x".repeat(1000))) {
                get(put);
            }
        }
    }

    private static void assertNoneDone(List<CompletableFuture<PutResult>> puts) {
        assertThat(puts).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void hostThatAcceptsAndSaysNothingDelaysNobodyElse() throws Exception {
        try (ServerSocket frozen = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Peer peer = new Peer(ScriptedOwner.NAME, 1, "127.0.0.1:" + frozen.getLocalPort());
            List<CompletableFuture<PutResult>> outstanding = puts(peer, MAX_QUEUED, "x");
            List<CompletableFuture<PutResult>> refused = puts(peer, 50, "x");

            assertGoodHostServes();

            assertNoneDone(outstanding);
            for (CompletableFuture<PutResult> put : refused) {
                assertThat(failure(put).code()).isEqualTo(ErrorCode.OVERLOADED);
            }
            assertThat(gauge("talos_forward_queued_requests")).isEqualTo(MAX_QUEUED);
            assertThat(gauge("talos_forward_connections")).isZero();

            time.advance(BUDGET);
            for (CompletableFuture<PutResult> put : outstanding) {
                assertThat(failure(put).code()).isIn(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.PARTITION_NOT_SERVING);
                assertThat(failure(put).detail()).contains("nothing was done");
            }
            assertGoodHostServes();
        }
    }

    @Test
    void hostThatFreezesWithRequestsUnderWayDelaysNobodyElse() throws Exception {
        try (ScriptedOwner frozen = new ScriptedOwner()) {
            int large = 64 << 10;
            List<CompletableFuture<PutResult>> outstanding = new ArrayList<>();
            List<RawConnection> lines = new ArrayList<>();
            while (lines.size() < CONNECTIONS) {
                outstanding.addAll(puts(frozen.peer(), 1, "x".repeat(16 << 20))); // more than a socket takes
                lines.add(frozen.acceptHost().raw()); // and not one byte is read from it
                Await.until(() -> gauge("talos_forward_in_flight") == lines.size());
            }
            int fitting = MAX_QUEUED_BYTES / large;
            outstanding.addAll(puts(frozen.peer(), fitting, "y".repeat(large)));
            List<CompletableFuture<PutResult>> refused = puts(frozen.peer(), 50, "y".repeat(large));

            assertGoodHostServes();

            assertNoneDone(outstanding);
            for (CompletableFuture<PutResult> put : refused) {
                assertThat(failure(put).code()).isEqualTo(ErrorCode.OVERLOADED);
            }
            assertThat(gauge("talos_forward_queued_bytes")).isEqualTo(MAX_QUEUED_BYTES);
            assertThat(gauge("talos_forward_connections")).isEqualTo(CONNECTIONS);

            time.advance(BUDGET);
            for (int number = 0; number < outstanding.size(); number++) {
                assertThat(failure(outstanding.get(number)).code())
                        .isEqualTo(number < CONNECTIONS ? ErrorCode.OUTCOME_UNKNOWN : ErrorCode.DEADLINE_EXCEEDED);
            }
            Await.until(() -> gauge("talos_forward_connections") == 0);
            Await.until(() -> gauge("talos_forward_queued_bytes") == 0);
            assertGoodHostServes();
            for (RawConnection line : lines) {
                line.close();
            }
        }
    }

    @Test
    void hostThatDoesNotAcceptDelaysNobodyElse() throws Exception {
        try (ServerSocket frozen = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                RawConnection first = RawConnection.to(frozen.getLocalPort());
                RawConnection second = RawConnection.to(frozen.getLocalPort())) {
            // The queue of the port is full: the next one is not even told that it is connected.
            Peer peer = new Peer(ScriptedOwner.NAME, 1, "127.0.0.1:" + frozen.getLocalPort());
            List<CompletableFuture<PutResult>> outstanding = puts(peer, MAX_QUEUED, "x");

            assertGoodHostServes();

            assertNoneDone(outstanding);
            assertThat(first.socket().isConnected() && second.socket().isConnected())
                    .isTrue();
            forwarder.close();
            for (CompletableFuture<PutResult> put : outstanding) {
                assertThat(failure(put).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
            }
        }
    }

    @Test
    void getsThatWaitAtAFrozenHostDelayNobodyElse() throws Exception {
        try (ScriptedOwner frozen = new ScriptedOwner()) {
            Deadline deadline = Deadline.after(time, BUDGET);
            List<CompletableFuture<?>> waiting = new ArrayList<>();
            for (int number = 0; number < 50; number++) {
                waiting.add(forwarder.owner(frozen.peer()).fetch(fixture.get(Duration.ofSeconds(9), deadline)));
            }
            ScriptedOwner.Line line = frozen.acceptHost();
            assertGoodHostServes();

            assertThat(waiting).noneMatch(CompletableFuture::isDone);
            time.advance(BUDGET);
            for (CompletableFuture<?> get : waiting) {
                // Those whose connection is not even proved may hear of that first.
                assertThat(failure(get).code()).isIn(ErrorCode.DEADLINE_EXCEEDED, ErrorCode.PARTITION_NOT_SERVING);
            }
            line.close();
        }
    }
}
