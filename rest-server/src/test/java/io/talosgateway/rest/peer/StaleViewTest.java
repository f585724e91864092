package io.talosgateway.rest.peer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.consumergroup.Coordinators;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.fetch.FetchConfig;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.hosting.HostAddress;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.hosting.HostingConfig;
import io.talosgateway.rest.hosting.HostingMetrics;
import io.talosgateway.rest.hosting.HostingParts;
import io.talosgateway.rest.hosting.RealHostingThreads;
import io.talosgateway.rest.hosting.RecentPutsConfig;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.produce.ProduceMetrics;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.serving.LocalPartitionService;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.transaction.TransactionCoordinators;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.KeyedTask;
import io.talosgateway.scheduler.Priority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A host believes that "old" owns a partition and hands a request to it; "old", with the real services, knows that a third
 * host owns it by now. It refuses, stores nothing and hands nothing on: one hop.
 */
final class StaleViewTest {

    /** Where the host that is asked keeps what it stores. */
    private static final String JOURNAL = JournalId.ROOT + "/old/0000000007";

    private final ForwardFixture fixture = new ForwardFixture();
    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();
    private final ScriptedOwner third = new ScriptedOwner();
    private final TopicPartition partition;
    private final HostedPartitions hosting;
    private final ForwardFixture.Owner old;
    private final Forwarder forwarder;
    private final List<JournalStorage.StoredFile> filesBefore;

    StaleViewTest() throws Exception {
        OtherHostsCluster view = new OtherHostsCluster(
                "old", new HostInfo("third", 7, "third:80", third.peer().address(), HostInfo.Intent.SERVE));
        partition = view.partition();
        hosting = hosting(view);
        hosting.start();
        KeyedExecutor<TopicPartition> pool = new NoWork();
        ProduceService produce = new ProduceService(
                pool,
                fixture.timer,
                fixture.answers,
                Durability.DISK,
                fixture.clock,
                new ProduceMetrics(new CollectorRegistry()));
        FetchService fetches = new FetchService(
                new FetchConfig(100, DataSize.ofMiB(1), Duration.ofSeconds(5), 100),
                pool,
                fixture.timer,
                fixture.answers,
                PartitionLog::readTail,
                fixture.clock);
        AtomicReference<PartitionService> all = new AtomicReference<>();
        all.set(new LocalPartitionService(
                hosting,
                produce,
                fetches,
                Coordinators.coordinator(hosting, view, pool, fixture.timer, fixture.clock),
                TransactionCoordinators.coordinator(hosting, view, pool, all::get, fixture.timer, fixture.clock),
                new TimedAnswers(fixture.timer, Runnable::run)));
        old = fixture.owner("old", all.get());
        forwarder = fixture.forwarder();
        filesBefore = storage.list(JOURNAL);
        assertThat(filesBefore).isNotEmpty();
    }

    private HostedPartitions hosting(OtherHostsCluster view) {
        return new HostedPartitions(
                new HostingConfig(
                        "old",
                        JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofKiB(64), DataSize.ofKiB(64)),
                        new RecentPutsConfig(Duration.ofHours(1), 1_000, 10_000),
                        Duration.ofSeconds(1)),
                () -> new HostAddress("old:80", "old:81"),
                view.cluster(),
                new HostingParts(
                        storage,
                        Runnable::run,
                        () -> Instant.EPOCH,
                        fixture.clock,
                        new JournalMetrics(new CollectorRegistry(), fixture.clock),
                        new HostingMetrics(new CollectorRegistry()),
                        new RealHostingThreads()));
    }

    /** Nothing may get as far as a worker. */
    private static final class NoWork implements KeyedExecutor<TopicPartition> {

        @Override
        public void execute(KeyedTask<TopicPartition> task) {
            throw new AssertionError("a request got as far as the storage");
        }

        @Override
        public int drain(Deadline deadline) {
            return 0;
        }

        @Override
        public int maxBypasses() {
            return 1;
        }
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
        hosting.stop();
        third.close();
    }

    private static void assertNotServing(CompletableFuture<?> answer) throws Exception {
        GatewayException failure = failure(answer);
        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(failure.retry()).isEqualTo(RetryAdvice.AFTER_BACKOFF);
    }

    private CompletableFuture<?> put(TopicPartition to) {
        return forwarder
                .owner(old.peer())
                .put(new PutRequest(
                        to, ForwardFixture.batch("x"), null, null, Priority.Importance.NORMAL, fixture.soon(), null));
    }

    private CompletableFuture<?> fetch(TopicPartition from, Duration maxWait) {
        return forwarder
                .owner(old.peer())
                .fetch(new FetchRequest(
                        from,
                        new FetchFrom.Latest(),
                        10,
                        1 << 20,
                        maxWait,
                        Priority.Importance.NORMAL,
                        fixture.soon(),
                        null));
    }

    @Test
    void hostThatOwnsThePartitionNoMoreRefusesAndHandsNothingOn() throws Exception {
        assertThat(hosting.otherOwner(partition)).isNotNull(); // where a second hop would lead

        assertNotServing(put(partition));
        assertNotServing(fetch(partition, Duration.ZERO));
        assertNotServing(fetch(partition, Duration.ofSeconds(9)));
        assertNotServing(forwarder.owner(old.peer()).offsetAt(partition, 1, fixture.soon()));
        assertNotServing(forwarder.owner(old.peer()).trim(partition, 0, 1, fixture.soon()));
        assertThat(get(forwarder.owner(old.peer()).describe(List.of(partition), fixture.soon())))
                .isEqualTo(new PartitionStatuses(List.of(), false));

        assertThat(third.connectionsWaiting()).isZero();
        assertThat(storage.list(JOURNAL)).isEqualTo(filesBefore);
    }

    @Test
    void partitionsAndTopicsThatAreNoneAreRefused() throws Exception {
        for (TopicPartition none : List.of(
                new TopicPartition(partition.topic(), -1),
                new TopicPartition(partition.topic(), 1),
                new TopicPartition(partition.topic(), Integer.MAX_VALUE),
                new TopicPartition(new TopicId(3, 4), 0))) {
            assertNotServing(put(none));
            assertNotServing(fetch(none, Duration.ZERO));
            assertNotServing(forwarder.owner(old.peer()).offsetAt(none, 1, fixture.soon()));
            assertNotServing(forwarder.owner(old.peer()).trim(none, 0, Long.MAX_VALUE, fixture.soon()));
        }
        assertThat(third.connectionsWaiting()).isZero();
        assertThat(storage.list(JOURNAL)).isEqualTo(filesBefore);
    }
}
