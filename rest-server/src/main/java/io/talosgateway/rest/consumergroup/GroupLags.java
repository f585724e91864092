package io.talosgateway.rest.consumergroup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import io.prometheus.client.Collector;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.metrics.BoundedLabel;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the groups that this host holds are behind, for metrics: the sum over the partitions of a topic. Found out only while
 * somebody reads the metrics, and at most every ten seconds: a read shows what the one before has begun to find out. The groups that
 * are most behind have series of their own, the others share one. Safe for use by any thread; does not block.
 */
public final class GroupLags extends Collector implements Collector.Describable {

    static final int MOST_SERIES = 100;
    /** Further partitions are not asked where they end, and do not count. */
    private static final int MOST_PARTITIONS = 10_000;

    private static final Duration ASK_EVERY = Duration.ofSeconds(10);
    private static final Duration ASK_WITHIN = Duration.ofSeconds(5);
    private static final String NAME = "talos_consumer_group_lag_messages";
    private static final String HELP = "Messages that a group has not processed, of groups that this host holds.";
    private static final List<String> LABELS = List.of("group", "topic");

    private static final Logger log = LoggerFactory.getLogger(GroupLags.class);

    private final TopicRegistry topics;
    private final Predicate<TopicPartition> hosted;
    private final PartitionService partitions;
    private final NanoClock clock;
    private final AtomicLong askAtNanos;
    private volatile List<Lag> lags = List.of();

    /**
     * @param hosted whether this host serves a partition
     * @param partitions of the cluster
     */
    public GroupLags(
            TopicRegistry topics, Predicate<TopicPartition> hosted, PartitionService partitions, NanoClock clock) {
        this.topics = topics;
        this.hosted = hosted;
        this.partitions = partitions;
        this.clock = clock;
        this.askAtNanos = new AtomicLong(clock.nanoTime());
    }

    /** How many messages of a topic a group has not processed. */
    record Lag(String group, String topic, long messages) {}

    @Override
    public List<MetricFamilySamples> describe() {
        return List.of(new MetricFamilySamples(NAME, Type.GAUGE, HELP, List.of()));
    }

    @Override
    public List<MetricFamilySamples> collect() {
        askIfDue();
        List<MetricFamilySamples.Sample> samples = new ArrayList<>();
        for (Lag lag : bounded(lags)) {
            samples.add(
                    new MetricFamilySamples.Sample(NAME, LABELS, List.of(lag.group, lag.topic), (double) lag.messages));
        }
        return List.of(new MetricFamilySamples(NAME, Type.GAUGE, HELP, samples));
    }

    /** Those that are most behind, and the others as one. */
    static List<Lag> bounded(List<Lag> all) {
        if (all.size() <= MOST_SERIES) {
            return all;
        }
        List<Lag> sorted = new ArrayList<>(all);
        sorted.sort(Comparator.comparingLong(Lag::messages)
                .reversed()
                .thenComparing(Lag::group)
                .thenComparing(Lag::topic));
        List<Lag> bounded = new ArrayList<>(sorted.subList(0, MOST_SERIES));
        long others = sorted.stream().skip(MOST_SERIES).mapToLong(Lag::messages).sum();
        bounded.add(new Lag(BoundedLabel.OTHER, BoundedLabel.OTHER, others));
        return bounded;
    }

    private void askIfDue() {
        long nowNanos = clock.nanoTime();
        long due = askAtNanos.get();
        if (nowNanos - due >= 0 && askAtNanos.compareAndSet(due, nowNanos + ASK_EVERY.toNanos())) {
            Deadline deadline = Deadline.after(clock, ASK_WITHIN);
            // What is thrown must not spoil the other metrics.
            CompletableFuture.completedFuture(deadline)
                    .thenCompose(this::entries)
                    .thenCompose(entries -> ask(entries, deadline))
                    .whenComplete((found, failure) -> {
                        if (failure == null) {
                            lags = found;
                        } else {
                            lags = List.of();
                            log.debug("How far groups are behind could not be found out", failure);
                        }
                    });
        }
    }

    /** What the groups of this host have committed. */
    private CompletableFuture<List<GroupEntry>> entries(Deadline deadline) {
        TopicMetadata groups = topics.find(TopicName.CONSUMER_GROUPS);
        if (groups == null) {
            return CompletableFuture.completedFuture(List.of());
        }
        GroupRequest all = GroupRequest.list("", List.of());
        List<CompletableFuture<GroupAnswer>> answers = groups.allPartitions()
                .filter(hosted)
                .map(partition -> partitions.askGroup(partition, all, deadline))
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(done -> answers.stream()
                        .flatMap(answer -> answer.join().entries().stream())
                        .filter(GroupEntry::hasPartition)
                        .toList());
    }

    private CompletableFuture<List<Lag>> ask(List<GroupEntry> entries, Deadline deadline) {
        Set<TopicPartition> wanted = new HashSet<>();
        for (GroupEntry entry : entries) {
            if (wanted.size() < MOST_PARTITIONS) {
                wanted.add(new TopicPartition(entry.topic(), entry.partition()));
            }
        }
        return wanted.isEmpty()
                ? CompletableFuture.completedFuture(List.of())
                : partitions
                        .describe(wanted, deadline)
                        .thenApply(PartitionStatuses::byPartition)
                        .thenApply(statuses -> lags(entries, statuses));
    }

    private List<Lag> lags(List<GroupEntry> entries, Map<TopicPartition, PartitionStatus> statuses) {
        Map<List<String>, Long> sums = new HashMap<>();
        for (GroupEntry entry : entries) {
            TopicMetadata topic = topics.find(entry.topic());
            PartitionStatus status = statuses.get(new TopicPartition(entry.topic(), entry.partition()));
            if (topic != null && status != null) {
                sums.merge(
                        List.of(entry.group(), topic.name().value()),
                        Math.max(0, ConsumerGroups.lag(entry.offset(), status)),
                        Long::sum);
            }
        }
        return sums.entrySet().stream()
                .map(sum -> new Lag(sum.getKey().get(0), sum.getKey().get(1), sum.getValue()))
                .toList();
    }
}
