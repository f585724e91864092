package io.talosgateway.rest.peer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.hosting.HostAddress;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.hosting.HostingConfig;
import io.talosgateway.rest.hosting.HostingMetrics;
import io.talosgateway.rest.hosting.HostingParts;
import io.talosgateway.rest.hosting.RealHostingThreads;
import io.talosgateway.rest.hosting.RecentPutsConfig;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.routing.MovePatience;
import io.talosgateway.rest.routing.RoutedPartitionService;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

/** A get that waits at another host for messages: it is asked for a part of the wait, again and again. */
final class ForwardedWaitTest {

    private static final Duration PART = Duration.ofSeconds(5);

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final ForwardFixture.Owner owner;
    private final TopicPartition partition;
    private final HostedPartitions hosting;
    private final RoutedPartitionService front;
    private final BlockingQueue<CompletableFuture<FetchResult>> answers = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    @SuppressWarnings("NullAway") // What serves partitions here is never asked.
    ForwardedWaitTest() throws Exception {
        owner = fixture.owner("owner");
        owner.partitions().onFetch = request -> {
            CompletableFuture<FetchResult> answer = new CompletableFuture<>();
            answers.add(answer);
            return answer;
        };
        OtherHostsCluster view = new OtherHostsCluster(
                "front", new HostInfo("owner", 7, "owner:80", owner.peer().address(), HostInfo.Intent.SERVE));
        partition = view.partition();
        hosting = new HostedPartitions(
                new HostingConfig(
                        "front",
                        JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofKiB(64), DataSize.ofKiB(64)),
                        new RecentPutsConfig(Duration.ofHours(1), 1_000, 10_000),
                        Duration.ofSeconds(1)),
                () -> new HostAddress("front:80", "front:81"),
                view.cluster(),
                new HostingParts(
                        new InMemoryJournalStorage(),
                        Runnable::run,
                        () -> Instant.EPOCH,
                        fixture.clock,
                        new JournalMetrics(new CollectorRegistry(), fixture.clock),
                        new HostingMetrics(new CollectorRegistry()),
                        new RealHostingThreads()));
        hosting.start();
        // One get may wait.
        Forwarder forwarder = fixture.forwarder(ForwardFixture.config(4, 1, 100, 1 << 20));
        MovePatience patience = new MovePatience(Duration.ofSeconds(1), time, fixture.answers, time);
        front = new RoutedPartitionService(hosting, null, patience, forwarder);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
        hosting.stop();
    }

    private CompletableFuture<FetchResult> poll(Duration maxWait) {
        return front.fetch(new FetchRequest(
                        partition,
                        new FetchFrom.Latest(),
                        10,
                        1 << 20,
                        maxWait,
                        Priority.Importance.NORMAL,
                        fixture.in(Duration.ofSeconds(50)),
                        null)
                .endingWhen(gone));
    }

    private void assertAsked(FetchFrom from, Duration maxWait) throws Exception {
        FetchRequest asked = owner.partitions().nextFetch();
        assertThat(asked.from()).isEqualTo(from);
        assertThat(asked.maxWait()).isEqualTo(maxWait);
    }

    private void answer(Duration after, StoredBlock... blocks) throws Exception {
        time.advance(after);
        answers.take().complete(new FetchResult(List.of(blocks), 42, 0, 42, true));
    }

    @Test
    void waitIsAskedForInParts() throws Exception {
        CompletableFuture<FetchResult> got = poll(Duration.ofSeconds(12));

        assertAsked(new FetchFrom.Latest(), PART);
        answer(PART);
        // Where the first part began: a message that was put between the parts is not missed.
        assertAsked(new FetchFrom.Offset(42), PART);
        answer(PART);
        assertAsked(new FetchFrom.Offset(42), Duration.ofSeconds(2));
        answer(Duration.ofSeconds(2));

        assertThat(get(got).fromOffset()).isEqualTo(42);
        assertThat(owner.partitions().fetches).isEmpty();
    }

    @Test
    void messagesEndTheWait() throws Exception {
        CompletableFuture<FetchResult> got = poll(Duration.ofSeconds(60));
        assertAsked(new FetchFrom.Latest(), PART);
        answer(PART);
        assertAsked(new FetchFrom.Offset(42), PART);
        MessageBlock block = new MessageBlock(1, 0, ByteSlice.utf8("x"), 1000, ByteSlice.EMPTY);
        answer(PART, new StoredBlock(42, 1000, block));

        assertThat(get(got).blocks()).hasSize(1);
        assertThat(owner.partitions().fetches).isEmpty();
    }

    @Test
    void nobodyIsAskedAgainForAClientThatHasGone() throws Exception {
        CompletableFuture<FetchResult> abandoned = poll(Duration.ofSeconds(60));
        assertAsked(new FetchFrom.Latest(), PART);
        gone.complete(null);
        answer(PART);

        assertThat(get(abandoned).blocks()).isEmpty();
        // The only place for gets that wait is free.
        CompletableFuture<FetchResult> next = poll(Duration.ofSeconds(60));
        assertAsked(new FetchFrom.Latest(), PART);
        assertThat(next).isNotDone();
    }

    @Test
    void ownerThatDoesNotWaitIsNotAskedAgain() throws Exception {
        CompletableFuture<FetchResult> first = poll(Duration.ofSeconds(60));
        assertAsked(new FetchFrom.Latest(), PART);

        CompletableFuture<FetchResult> without = poll(Duration.ofSeconds(60));
        assertAsked(new FetchFrom.Latest(), Duration.ZERO);
        CompletableFuture<FetchResult> ofFirst = answers.take();
        answer(Duration.ZERO);

        assertThat(get(without).blocks()).isEmpty();
        assertThat(ofFirst).isNotDone();
        assertThat(first).isNotDone();
        assertThat(owner.partitions().fetches).isEmpty();
    }
}
