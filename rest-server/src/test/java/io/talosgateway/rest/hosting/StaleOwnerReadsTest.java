package io.talosgateway.rest.hosting;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.consumergroup.Coordinators;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.fetch.FetchConfig;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.produce.ProduceMetrics;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.routing.MovePatience;
import io.talosgateway.rest.routing.RoutedPartitionService;
import io.talosgateway.rest.serving.LocalPartitionService;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.ExecutorListener;
import io.talosgateway.scheduler.KeyedThreadPool;
import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.PlacementPolicy;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.QueueLimits;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * What a host answers whose partition another host owns by now, before it hears of that: nothing that depends on where the
 * partition ends. Real hosting, journal and services on a simulated ZooKeeper.
 */
final class StaleOwnerReadsTest {

    private static final PlacementConfig PLACEMENT =
            new PlacementConfig(Duration.ofMillis(100), Duration.ZERO, Duration.ofSeconds(60));
    private static final TopicMetadata TOPIC = SimulatedCluster.topic(8, Duration.ofDays(1));

    private final Random random = new Random(1);
    private final SteppedTime time = new SteppedTime();
    private final SimulatedZooKeeper zooKeeper = new SimulatedZooKeeper(random, time);
    private final SimulatedHdfs hdfs = new SimulatedHdfs(random);
    private final KeyedThreadPool<TopicPartition> pool = new KeyedThreadPool<TopicPartition>(
                    new KeyedThreadPoolConfig("get", 1, PlacementPolicy.LEAST_LOADED, QueueLimits.ofTasks(10, 10), 1),
                    time,
                    time,
                    Runnable::run,
                    ExecutorListener.NONE)
            .start();
    private SimulatedHost old;
    private SimulatedHost next;
    private TopicPartition partition;
    private PartitionBook book;
    private FetchService fetches;
    private LocalPartitionService partitions;

    @BeforeEach
    void start() {
        zooKeeper.topics.add(TOPIC);
        next = host("a");
        old = host("b");
        pass(1_000);
        partition = TOPIC.allPartitions()
                .filter(one -> old.hosting.find(one) != null)
                .findFirst()
                .orElseThrow();
        book = new PartitionBook(TOPIC, partition, time);
        append(old, "0");
        append(old, "1");
        fetches = new FetchService(
                new FetchConfig(100, DataSize.ofMiB(1), Duration.ofSeconds(5), 100),
                pool,
                time,
                Runnable::run,
                PartitionLog::readTail,
                time);
        partitions = new LocalPartitionService(
                old.hosting,
                new ProduceService(
                        pool,
                        time,
                        Runnable::run,
                        Durability.MEMORY,
                        time,
                        new ProduceMetrics(new CollectorRegistry())),
                fetches,
                Coordinators.coordinator(old.hosting, old.zooKeeper.registry, pool, time, time),
                old.transactions,
                new TimedAnswers(time, Runnable::run));
    }

    @AfterEach
    void stop() throws InterruptedException {
        pool.drain(Deadline.at(time.nanoTime()));
    }

    private SimulatedHost host(String name) {
        return new SimulatedHost(
                name, zooKeeper.new Client(), hdfs.new View(), time, Duration.ZERO, PLACEMENT, peer -> {
                    throw new GatewayException(ErrorCode.PARTITION_NOT_SERVING, peer + " is not asked");
                });
    }

    /** Time passes, and every host that is not paused does what there is to do. */
    private void pass(long ms) {
        for (long step = 0; step < ms; step += 50) {
            time.advance(Duration.ofMillis(50));
            for (SimulatedHost host : Stream.of(next, old)
                    .filter(one -> one != null && !one.paused)
                    .toList()) {
                host.zooKeeper.deliver();
                host.controller.decide();
                host.threads.drain(random);
            }
        }
    }

    private void append(SimulatedHost host, String message) {
        append(host, message, Durability.DISK);
    }

    private void append(SimulatedHost host, String message, Durability level) {
        book.append(host, book.add(message, false, level), false);
        host.threads.drain(random);
    }

    private FetchRequest request(FetchFrom from, Duration maxWait) {
        return new FetchRequest(partition, from, 10, 1 << 20, maxWait, Priority.Importance.NORMAL, Deadline.NONE, null);
    }

    private CompletableFuture<FetchResult> fetch(FetchFrom from, Duration maxWait) {
        return partitions.fetch(request(from, maxWait));
    }

    private CompletableFuture<FetchResult> fetch(FetchFrom from) {
        return fetch(from, Duration.ZERO);
    }

    private static FetchFrom offset(long offset) {
        return new FetchFrom.Offset(offset);
    }

    private static GatewayException failure(CompletableFuture<?> answer) {
        ExecutionException failure =
                catchThrowableOfType(ExecutionException.class, () -> answer.get(120, TimeUnit.SECONDS));
        assertThat(failure).as("answered: %s", answer).isNotNull();
        return GatewayException.in(failure.getCause())
                .orElseThrow(() -> new AssertionError("not refused: " + answer, failure));
    }

    private static void assertRefused(CompletableFuture<?> answer, ErrorCode code, String reason) {
        GatewayException failure = failure(answer);
        assertThat(failure.code()).as(failure.detail()).isEqualTo(code);
        assertThat(failure.retry()).isEqualTo(RetryAdvice.AFTER_BACKOFF);
        assertThat(failure.detail()).contains(reason);
    }

    /** Everything that would tell where the partition ends. */
    private void assertEndIsNotTold(ErrorCode code, String reason) {
        for (FetchFrom from : List.of(
                offset(2),
                offset(3),
                offset(100),
                new FetchFrom.Latest(),
                new FetchFrom.LastMessage(),
                new FetchFrom.Time(Long.MAX_VALUE))) {
            assertRefused(fetch(from), code, reason);
            assertRefused(fetch(from, Duration.ofSeconds(1)), code, reason);
        }
        assertRefused(partitions.offsetAt(partition, Long.MAX_VALUE, Deadline.NONE), code, reason);
        assertThat(partitions.describe(List.of(partition), Deadline.NONE))
                .isCompletedWithValue(new PartitionStatuses(List.of(), code == ErrorCode.PARTITION_MOVING));
        assertRefused(partitions.describe(partition, Deadline.NONE), code, reason);
        assertRefused(partitions.trim(partition, 0, 2, Deadline.NONE), code, reason);
    }

    private void assertEndIsTold(long end) throws Exception {
        assertThat(fetch(offset(end)).get().logEndOffset()).isEqualTo(end);
        assertThat(fetch(offset(0)).get().logEndOffset()).isEqualTo(end);
        assertThat(fetch(new FetchFrom.Latest()).get().fromOffset()).isEqualTo(end);
        assertThat(fetch(new FetchFrom.LastMessage()).get().fromOffset()).isEqualTo(end - 1);
        assertThat(failure(fetch(offset(end + 1))).code()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
        assertThat(partitions.offsetAt(partition, Long.MAX_VALUE, Deadline.NONE).get(120, TimeUnit.SECONDS))
                .isEqualTo(end);
        assertThat(partitions.describe(partition, Deadline.NONE).get().logEndOffset())
                .isEqualTo(end);
        assertThat(old.hosting.whyWithoutLease()).isNull();
    }

    private void takeOver() {
        old.paused = true;
        old.zooKeeper.expire();
        pass(2_000);
        assertThat(next.hosting.find(partition)).isNotNull();
        append(next, "2");
        append(next, "3");
        assertThat(old.hosting.find(partition)).as("does not know yet").isNotNull();
    }

    @Test
    void ownerThatHasLostItsSessionUnawaresDoesNotTellWhereThePartitionEnds() throws Exception {
        assertEndIsTold(2);
        takeOver();

        assertEndIsNotTold(
                ErrorCode.PARTITION_NOT_SERVING, "because this host has had no confirmation from ZooKeeper for 2 s");
        assertThat(old.hosting.whyWithoutLease()).isEqualTo("this host has had no confirmation from ZooKeeper for 2 s");
    }

    /** They are as they were, whoever owns the partition; only where it ends is not said. */
    @Test
    void messagesBelowTheEndAreReadWithoutALease() throws Exception {
        takeOver();

        for (FetchFrom from : List.of(offset(0), new FetchFrom.Earliest(), new FetchFrom.Time(0))) {
            FetchResult result = fetch(from).get(120, TimeUnit.SECONDS);
            assertThat(result.messageCount()).isEqualTo(2);
            assertThat(result.knowsEnd()).isFalse();
        }
        assertThat(partitions.offsetAt(partition, 0, Deadline.NONE).get(120, TimeUnit.SECONDS))
                .isZero();
    }

    /** After a power cut the next owner may give its offset to another message. */
    @Test
    void messageInMemoryIsNotReadWithoutALease() throws Exception {
        append(old, "only in memory", Durability.MEMORY);
        assertThat(fetch(offset(2)).get().messageCount()).isEqualTo(1);
        takeOver();

        assertRefused(fetch(offset(2)), ErrorCode.PARTITION_NOT_SERVING, "no confirmation from ZooKeeper");
        assertRefused(fetch(offset(0)), ErrorCode.PARTITION_NOT_SERVING, "no confirmation from ZooKeeper");
    }

    /** It would be told that its messages are at an offset which may be another's by now. */
    @Test
    void repeatOfAPutInMemoryIsNotAnsweredWithoutALease() throws Exception {
        CompletableFuture<PutResult> first = putOnlyInMemory();
        pool.submit(partition, Priority.NORMAL, Deadline.NONE, () -> "handed over")
                .get(120, TimeUnit.SECONDS);
        old.threads.drain(random);
        assertThat(first.get(120, TimeUnit.SECONDS).durability()).isEqualTo(Durability.MEMORY);
        assertThat(putOnlyInMemory().get(120, TimeUnit.SECONDS).repeat()).isTrue();
        takeOver();

        assertRefused(putOnlyInMemory(), ErrorCode.PARTITION_NOT_SERVING, "no confirmation from ZooKeeper");
    }

    private CompletableFuture<PutResult> putOnlyInMemory() {
        return partitions.put(new PutRequest(
                partition,
                JournalFixture.batch("only in memory"),
                new IdempotencyKey("key", true),
                null,
                Priority.Importance.NORMAL,
                Deadline.NONE,
                null));
    }

    @Test
    void offsetBelowTheStartIsOutOfRangeWithoutALeaseToo() {
        old.hosting.get(partition).log().trimTo(1);
        takeOver();

        GatewayException failure = failure(fetch(offset(0)));
        assertThat(failure.code()).isEqualTo(ErrorCode.OFFSET_OUT_OF_RANGE);
        assertThat(failure.detail())
                .isEqualTo("The offset 0 is out of range: the first message that is kept has offset 1 or more.");
    }

    @Test
    void leaseThatEndsWithTheConnectionComesBackWithIt() throws Exception {
        old.zooKeeper.disconnected = true;
        pass(600);
        assertEndIsTold(2);
        pass(100);
        assertEndIsNotTold(ErrorCode.PARTITION_NOT_SERVING, "no confirmation from ZooKeeper");

        old.zooKeeper.disconnected = false;
        pass(100);
        assertEndIsTold(2);
    }

    /** The check comes after the wait, not before it. */
    @Test
    void longPollIsNotAnsweredEmptyIfTheLeaseEndedMeanwhile() throws Exception {
        CompletableFuture<FetchResult> inTime = fetch(offset(2), Duration.ofMillis(500));
        CompletableFuture<FetchResult> late = fetch(offset(2), Duration.ofSeconds(5));
        time.advance(Duration.ofMillis(500));
        assertThat(inTime.get().blocks()).isEmpty();
        assertThat(inTime.get().logEndOffset()).isEqualTo(2);
        takeOver();

        assertThat(late).isNotDone();
        time.advance(Duration.ofSeconds(5));
        assertRefused(late, ErrorCode.PARTITION_NOT_SERVING, "no confirmation from ZooKeeper");
        assertThat(fetches.waiting()).isZero();
    }

    @Test
    void newSessionDoesNotReviveTheOldIncarnation() {
        HostedPartition before = old.hosting.get(partition);
        TopicPartition kept = partition;
        old.zooKeeper.expire();
        old.zooKeeper.beginNewSession();
        assertThat(before.knowsEnd()).as("ends with the session").isFalse();
        pass(2_000);

        HostedPartition after = Stream.of(old, next)
                .map(host -> host.hosting.find(kept))
                .filter(hosted -> hosted != null)
                .findFirst()
                .orElseThrow();
        assertThat(old.hosting.incarnationNumber()).isEqualTo(2);
        assertThat(old.hosting.whyWithoutLease()).isNull();
        assertThat(after.knowsEnd()).isTrue();
        assertThat(before.knowsEnd()).isFalse();
    }

    /** The record says that the partition is released, and the reply is lost: the next owner need not wait. */
    @Test
    void endIsNotToldAnyMoreWhenTheRecordSaysThatThePartitionIsReleased() {
        CompletableFuture<FetchResult> waiting = fetch(offset(2), Duration.ofSeconds(5));
        old.zooKeeper.hosts.announce(zooKeeper.alive.get("b").with(Intent.LEAVE));
        old.zooKeeper.loseNextReply = true;
        for (int step = 0;
                step < 1_000 && !zooKeeper.ownership.get(partition).ownership().released();
                step++) {
            time.advance(Duration.ofMillis(1));
            next.zooKeeper.deliver();
            next.controller.decide();
            old.zooKeeper.deliver();
            old.threads.step(random);
        }
        assertThat(zooKeeper.ownership.get(partition).ownership().released()).isTrue();
        assertThat(old.hosting.find(partition)).as("does not know yet").isNotNull();
        old.paused = true;
        pass(300);
        append(next, "2");
        append(next, "3");

        assertThat(old.hosting.whyWithoutLease()).as("the session lives").isNull();
        assertEndIsNotTold(ErrorCode.PARTITION_MOVING, "This host has stopped serving the partition");
        assertRefused(waiting, ErrorCode.PARTITION_MOVING, "This host has stopped serving the partition");
        assertThat(fetches.waiting()).isZero();
    }

    /** It has heard so, and has had no time to release it; the next owner has waited for long enough. */
    @Test
    void endIsNotToldAnyMoreOnceThePlacementGivesThePartitionToAnother() {
        old.zooKeeper.hosts.announce(zooKeeper.alive.get("b").with(Intent.LEAVE));
        for (int step = 0; step < 1_000 && next.hosting.find(partition) == null; step++) {
            time.advance(Duration.ofMillis(50));
            old.zooKeeper.deliver();
            next.zooKeeper.deliver();
            next.controller.decide();
            next.threads.drain(random);
        }
        append(next, "2");
        append(next, "3");

        assertThat(old.hosting.find(partition)).as("does not know yet").isNotNull();
        assertThat(old.hosting.whyWithoutLease()).as("the session lives").isNull();
        assertEndIsNotTold(ErrorCode.PARTITION_MOVING, "This host has stopped serving the partition");
    }

    /**
     * The owner lost its session and registered again; the next owner has heard of the first only, and its controller has moved
     * the partitions.
     */
    @Test
    void ownerThatSeemsToBeGoneIsNotReplacedWhileItsSessionLives() throws Exception {
        old.zooKeeper.expire();
        next.zooKeeper.deliver();
        next.zooKeeper.hostsLate = true;
        old.zooKeeper.beginNewSession();
        old.threads.drain(random);
        assertThat(zooKeeper.ownership.get(partition).ownership().incarnation()).isEqualTo(2);
        old.paused = true;
        pass(500);

        assertThat(zooKeeper.placement.placement().find("b"))
                .as("its partitions are the next owner's to take over")
                .isEmpty();
        assertThat(next.hosting.find(partition)).as("the owner lives").isNull();
        append(old, "2");
        assertEndIsTold(3);
        old.paused = false;
        pass(500);
        assertThat(next.hosting.get(partition).log().durableOffset()).isEqualTo(3);
        assertThat(old.hosting.incarnationNumber()).as("it was not fenced").isEqualTo(2);
    }

    /** It is handed on to the next owner, for what is left of its wait. */
    @Test
    void longPollFollowsItsPartition() throws Exception {
        List<FetchRequest> handedOn = new ArrayList<>();
        FetchResult answer = new FetchResult(List.of(), 2, 0, 2, true);
        Forwarder forwarder = forwarder(arguments -> {
            handedOn.add((FetchRequest) arguments[0]);
            return answer;
        });
        PartitionService requests = new RoutedPartitionService(
                old.hosting, partitions, new MovePatience(Duration.ofSeconds(2), time, Runnable::run, time), forwarder);
        CompletableFuture<FetchResult> waiting = requests.fetch(request(offset(2), Duration.ofSeconds(5)));
        time.advance(Duration.ofSeconds(3));
        old.zooKeeper.hosts.announce(zooKeeper.alive.get("b").with(Intent.LEAVE));
        pass(300);
        assertThat(old.hosting.find(partition)).isNull();
        assertThat(waiting.get(120, TimeUnit.SECONDS)).isEqualTo(answer);
        assertThat(handedOn)
                .singleElement()
                .satisfies(request ->
                        assertThat(request.maxWait()).isBetween(Duration.ofMillis(1_600), Duration.ofMillis(1_980)));
    }

    /** Its next owner has the record of it and is just opening it. */
    @Test
    void descriptionsWaitForPartitionsThatMove() {
        PartitionStatus status = new PartitionStatus(partition, "a:1", 0, 2, 20, 20, null);
        PartitionStatuses moving = new PartitionStatuses(List.of(), true);
        Deque<PartitionStatuses> answers =
                new ArrayDeque<>(List.of(moving, moving, new PartitionStatuses(List.of(status), false)));
        CompletableFuture<PartitionStatuses> described = describedOnceMoved(
                asked -> answers.remove(), TOPIC.allPartitions().toList());

        assertThat(described).isNotDone();
        time.advance(Duration.ofMillis(20));
        assertThat(described).isNotDone();
        time.advance(Duration.ofMillis(40));
        assertThat(described)
                .isCompletedWithValueMatching(found -> found.equals(new PartitionStatuses(List.of(status), false)));
        assertThat(answers).isEmpty();
    }

    @Test
    void descriptionsWaitOnlyForAShortTimeAndOnlyForWhatMoves() {
        List<TopicPartition> both = TOPIC.allPartitions()
                .filter(one -> old.hosting.find(one) != null)
                .limit(2)
                .toList();
        TopicPartition served = both.get(1);
        PartitionStatus status = new PartitionStatus(served, "a:1", 0, 2, 20, 20, null);
        List<List<TopicPartition>> questions = new ArrayList<>();
        CompletableFuture<PartitionStatuses> described = describedOnceMoved(
                asked -> {
                    questions.add(asked);
                    return new PartitionStatuses(asked.contains(served) ? List.of(status) : List.of(), true);
                },
                both);
        time.advance(Duration.ofMillis(1_700));
        assertThat(described).isNotDone();
        time.advance(Duration.ofMillis(300));
        assertThat(described).isCompletedWithValue(new PartitionStatuses(List.of(status), true));
        assertThat(questions.remove(0)).isEqualTo(both);
        assertThat(questions).isNotEmpty().allSatisfy(asked -> assertThat(asked).containsExactly(partition));

        assertThat(descriptions(asked -> new PartitionStatuses(List.of(), false))
                        .describe(both, Deadline.NONE))
                .isCompletedWithValue(new PartitionStatuses(List.of(), false));
    }

    private CompletableFuture<PartitionStatuses> describedOnceMoved(
            Function<List<TopicPartition>, PartitionStatuses> next, List<TopicPartition> asked) {
        old.zooKeeper.hosts.announce(zooKeeper.alive.get("b").with(Intent.LEAVE));
        pass(300);
        assertThat(old.hosting.find(partition)).isNull();
        return descriptions(next).describe(asked, Deadline.NONE);
    }

    private PartitionService descriptions(Function<List<TopicPartition>, PartitionStatuses> next) {
        return new RoutedPartitionService(
                old.hosting,
                partitions,
                new MovePatience(Duration.ofSeconds(2), time, Runnable::run, time),
                forwarder(arguments -> next.apply(((List<?>) arguments[0])
                        .stream().map(TopicPartition.class::cast).toList())));
    }

    private static Forwarder forwarder(Function<Object[], Object> answer) {
        PartitionService owner = (PartitionService) Proxy.newProxyInstance(
                PartitionService.class.getClassLoader(),
                new Class<?>[] {PartitionService.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    default -> CompletableFuture.completedFuture(answer.apply(arguments));
                });
        return (Forwarder) Proxy.newProxyInstance(
                Forwarder.class.getClassLoader(),
                new Class<?>[] {Forwarder.class},
                (proxy, method, arguments) -> owner);
    }

    @Test
    void longPollsOfATopicThatIsDeletedAreNotLeftWaiting() {
        CompletableFuture<FetchResult> waiting = fetch(offset(2), Duration.ofSeconds(5));
        CompletableFuture<Void> released = old.hosting.release(TOPIC);
        while (!released.isDone()) {
            old.threads.step(random);
        }
        assertRefused(waiting, ErrorCode.PARTITION_MOVING, "This host has stopped serving the partition");
    }
}
