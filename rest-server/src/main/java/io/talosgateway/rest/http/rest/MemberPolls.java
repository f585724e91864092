package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.consumergroup.ConsumerGroups;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Gives members of consumer groups messages: those of one of the partitions that a member holds, from what is committed on. Each poll
 * asks for the member's fair share of the partitions first, and renews its lease. Safe for use by any thread; does not block.
 */
public final class MemberPolls {

    /** A poll that waits asks again so often, for other members may have come and gone. */
    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ConsumerGroups groups;
    private final PartitionService partitions;
    private final Duration maxWait;
    private final HttpParts parts;

    /** @param maxWait longest wait for messages; a poll that wants to wait longer waits so long */
    public MemberPolls(ConsumerGroups groups, PartitionService partitions, Duration maxWait, HttpParts parts) {
        this.groups = groups;
        this.partitions = partitions;
        this.maxWait = maxWait;
        this.parts = parts;
    }

    /** What was got of a partition; nothing if there was nothing. */
    private record Got(TopicPartition partition, FetchResult result) {}

    CompletableFuture<Answer> poll(RestCall call, TopicMetadata topic, String group, String member) {
        call.allowQuery(Set.of("max-messages", "max-bytes", "wait", "value"));
        Exchange exchange = call.exchange();
        ValueView view = ValueView.of(call.queryParameter("value"));
        int maxMessages = call.intParameter("max-messages", MessageOperations.DEFAULT_MAX_MESSAGES, 1);
        int maxBytes = call.intParameter("max-bytes", MessageOperations.DEFAULT_MAX_BYTES, 1);
        Duration wanted = call.durationParameter("wait");
        Duration wait = wanted.compareTo(maxWait) < 0 ? wanted : maxWait;
        if (!wait.isZero()) {
            exchange.startWaiting(wait);
        }
        Deadline deadline = MessageOperations.deadline(call, parts, wait);
        GroupRequest balance = GroupRequest.balance(
                group,
                member,
                topic.id(),
                topic.allPartitions().map(TopicPartition::partition).toList());
        long endAtNanos = parts.clock().nanoTime() + wait.toNanos();
        Poll poll = new Poll(exchange, topic, balance, maxMessages, maxBytes, deadline, endAtNanos);
        CompletableFuture<@Nullable Got> got = poll.next();
        if (!got.isDone()) {
            exchange.watchClient();
        }
        return got.thenCompose(found -> found == null
                ? CompletableFuture.completedFuture(nothing(topic))
                : exchange.work(
                        found.result.isPlain(Exchange.SMALL_BYTES),
                        () -> GetAnswers.answer(
                                exchange,
                                topic.name().value(),
                                found.partition.partition(),
                                found.result,
                                maxMessages,
                                GetAnswers.Form.JSON,
                                view)));
    }

    /** There are no messages, or no partitions for this member. */
    private static Answer nothing(TopicMetadata topic) {
        return Answer.of(
                200, Json.CONTENT_TYPE, Json.write(Map.of("topic", topic.name().value(), "messages", List.of())));
    }

    /** One poll. Its steps come one after another. */
    private final class Poll {

        private final Exchange exchange;
        private final TopicMetadata topic;
        private final GroupRequest balance;
        private final int maxMessages;
        private final int maxBytes;
        private final Deadline deadline;
        private final long endAtNanos;

        Poll(
                Exchange exchange,
                TopicMetadata topic,
                GroupRequest balance,
                int maxMessages,
                int maxBytes,
                Deadline deadline,
                long endAtNanos) {
            this.exchange = exchange;
            this.topic = topic;
            this.balance = balance;
            this.maxMessages = maxMessages;
            this.maxBytes = maxBytes;
            this.deadline = deadline;
            this.endAtNanos = endAtNanos;
        }

        private long leftNanos() {
            return Math.max(0, endAtNanos - parts.clock().nanoTime());
        }

        CompletableFuture<@Nullable Got> next() {
            return groups.ask(balance, deadline).thenCompose(share -> got(share.entries()));
        }

        private CompletableFuture<@Nullable Got> got(List<GroupEntry> share) {
            List<TopicPartition> held = share.stream()
                    .map(entry -> topic.partition(entry.partition()))
                    .toList();
            return partitions.describe(held, deadline).thenCompose(statuses -> {
                Map<TopicPartition, PartitionStatus> known = statuses.byPartition();
                List<FetchRequest> behind = new ArrayList<>();
                List<FetchRequest> others = new ArrayList<>();
                for (GroupEntry entry : share) {
                    TopicPartition partition = topic.partition(entry.partition());
                    PartitionStatus status = known.get(partition);
                    if (status != null) {
                        (ConsumerGroups.lag(entry.offset(), status) > 0 ? behind : others)
                                .add(fetch(partition, ConsumerGroups.nextOffset(entry.offset(), status)));
                    }
                }
                if (!behind.isEmpty()) {
                    return got(behind.get(ThreadLocalRandom.current().nextInt(behind.size())));
                }
                return leftNanos() == 0 ? CompletableFuture.completedFuture(null) : await(others);
            });
        }

        private FetchRequest fetch(TopicPartition partition, long offset) {
            return new FetchRequest(
                    partition,
                    new FetchFrom.Offset(offset),
                    maxMessages,
                    maxBytes,
                    Duration.ZERO,
                    topic.importance(),
                    deadline,
                    exchange.named());
        }

        private CompletableFuture<@Nullable Got> got(FetchRequest request) {
            return partitions.fetch(request).thenApply(result -> new Got(request.partition(), result));
        }

        /** Waits a while for messages of any of them, and asks for the share again. */
        private CompletableFuture<@Nullable Got> await(List<FetchRequest> requests) {
            long stepNanos = Math.min(STEP_NANOS, leftNanos());
            CompletableFuture<@Nullable Got> first = new CompletableFuture<>();
            CompletableFuture<Void> enough = new CompletableFuture<>();
            CompletableFuture<Void> gone = exchange.gone();
            if (gone != null) {
                gone.thenRun(() -> first.complete(null));
            }
            first.whenComplete((got, failure) -> enough.complete(null));
            for (FetchRequest request : requests) {
                got(request.withMaxWait(Duration.ofNanos(stepNanos)).endingWhen(enough))
                        .whenComplete((got, failure) -> {
                            if (failure == null && got != null && got.result.messageCount() > 0) {
                                first.complete(got);
                            }
                        });
            }
            parts.after(stepNanos).thenRun(() -> first.complete(null));
            return first.thenCompose(got -> {
                boolean isOver = leftNanos() == 0 || (gone != null && gone.isDone());
                return got != null || isOver ? CompletableFuture.completedFuture(got) : next();
            });
        }
    }
}
