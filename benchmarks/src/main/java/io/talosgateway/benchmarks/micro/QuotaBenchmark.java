package io.talosgateway.benchmarks.micro;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.google.common.reflect.Reflection;
import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.quota.QuotaMetrics;
import io.talosgateway.rest.quota.QuotaPartitionService;
import io.talosgateway.rest.quota.Quotas;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What comparing a put with the quota of its topic costs: the put itself does nothing. Two threads put to the same topic, one of
 * 10,000; its quota is never reached.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
@Threads(2)
public class QuotaBenchmark {

    private static final int TOPICS = 10_000;
    private static final String OWNER = "owner";
    private static final TopicPartition PARTITION = new TopicPartition(new TopicId(0, TOPICS / 2), 3);
    private static final int MOST = Integer.MAX_VALUE;
    private static final long MOST_BYTES = Long.MAX_VALUE / 2;

    /** {@code nothing}: the put alone. */
    public enum Compared {
        nothing,
        unlimited,
        rates,
        ratesAndSpace,
        /** Of the topic, and of its owner. */
        both
    }

    @Param
    public Compared compared = Compared.nothing;

    private final PutRequest request = new PutRequest(
            PARTITION,
            new MessageBatch(List.of(new MessageBlock(
                    1, 0, new ByteSlice(new byte[1_000]), MessageBlock.NO_TIMESTAMP, new ByteSlice(new byte[0])))),
            null,
            null,
            Priority.Importance.NORMAL,
            Deadline.NONE,
            null);

    private PartitionService partitions = nothing();

    @Setup
    public void start() {
        if (compared != Compared.nothing) {
            Quota all = new Quota(MOST_BYTES, MOST, MOST, MOST_BYTES, MOST_BYTES);
            Quota quota = switch (compared) {
                case rates -> new Quota(null, MOST, MOST, MOST_BYTES, MOST_BYTES);
                case ratesAndSpace, both -> all;
                default -> Quota.UNLIMITED;
            };
            Quota ofOwner = compared == Compared.both ? all : Quota.UNLIMITED;
            Map<TopicId, TopicMetadata> topics = new ConcurrentHashMap<>();
            for (int number = 0; number < TOPICS; number++) {
                TopicId id = new TopicId(0, number);
                topics.put(
                        id,
                        new TopicMetadata(
                                new TopicName("topic-" + number),
                                id,
                                OWNER,
                                8,
                                Duration.ofDays(1),
                                Map.of(),
                                Map.of(),
                                quota,
                                0));
            }
            partitions = new QuotaPartitionService(
                    nothing(),
                    new Quotas(
                            topics::get,
                            owner -> owner.equals(OWNER) ? ofOwner : Quota.UNLIMITED,
                            owner -> Stream.of(topics.get(PARTITION.topic())),
                            System::nanoTime,
                            new QuotaMetrics(new CollectorRegistry())),
                    System::nanoTime);
        }
    }

    @Benchmark
    public CompletableFuture<PutResult> put() {
        return partitions.put(request);
    }

    /** Stores puts at once, and says that every partition is empty. */
    private static PartitionService nothing() {
        CompletableFuture<PutResult> stored =
                CompletableFuture.completedFuture(new PutResult(3, 0, 1, 0, Durability.DISK, false, false));
        return Reflection.newProxy(
                PartitionService.class,
                (proxy, method, arguments) ->
                        method.getName().equals("put") ? stored : describe((Collection<?>) arguments[0]));
    }

    private static CompletableFuture<PartitionStatuses> describe(Collection<?> wanted) {
        return CompletableFuture.completedFuture(new PartitionStatuses(
                wanted.stream()
                        .map(partition -> new PartitionStatus((TopicPartition) partition, "host:1", 0, 0, 0, 0, null))
                        .toList(),
                false));
    }
}
