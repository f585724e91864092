package io.talosgateway.rest.http.talos;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.DeadlinePolicy;
import io.talosgateway.rest.http.DecodingRoom;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.IdempotencyKeys;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.http.TimeBudgets;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.DeleteMessageIndexRequest;
import io.talosgateway.thrift.GetCheckpointRequest;
import io.talosgateway.thrift.GetCheckpointResponse;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetPartitionCheckpointRequest;
import io.talosgateway.thrift.GetPartitionCheckpointResponse;
import io.talosgateway.thrift.GetPartitionOffsetRequest;
import io.talosgateway.thrift.GetPartitionOffsetResponse;
import io.talosgateway.thrift.GetPartitionsOffsetResponse;
import io.talosgateway.thrift.GetScheduleInfoRequest;
import io.talosgateway.thrift.GetScheduleInfoResponse;
import io.talosgateway.thrift.GetTopicOffsetRequest;
import io.talosgateway.thrift.GetTopicOffsetResponse;
import io.talosgateway.thrift.OffsetInfo;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;

/** The methods of {@code MessageService}, but for those of {@link TransactionCalls}. */
public final class MessageCalls {

    private static final long EARLIEST = -1;
    private static final long LAST_MESSAGE = -2;
    /** What is kept of a body may hold this many times the messages' bytes, or this many bytes more. */
    private static final int MAX_BODY_FACTOR = 2;

    private static final int SMALL_BODY_BYTES = 16 * 1024;

    private final TopicArguments topics;
    private final PartitionService partitions;
    private final Function<TopicPartition, Optional<String>> owners;
    private final HttpParts parts;

    /** @param owners finds where clients reach the host that serves a partition; empty while none does */
    public MessageCalls(
            AuthorizedTopics topics,
            PartitionService partitions,
            Function<TopicPartition, Optional<String>> owners,
            HttpParts parts) {
        this.topics = new TopicArguments(topics);
        this.partitions = partitions;
        this.owners = owners;
        this.parts = parts;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.MESSAGE;
        methods.addRaw(service, MessageMethods.PUT_MESSAGE, this::put);
        methods.addRaw(service, MessageMethods.GET_MESSAGE, this::get);
        methods.addRaw(service, MessageMethods.GET_PARTITION_OFFSET, this::partitionOffset);
        methods.add(service, MessageMethods.GET_TOPIC_OFFSET, this::topicOffset);
        methods.add(service, MessageMethods.GET_PARTITIONS_OFFSET, (call, request) -> {
            call.exchange().setRequestClass(RequestClass.DESCRIBE);
            Deadline deadline = deadline(call.exchange(), null);
            return all(request.getTopicAndPartitionList().stream()
                            .map(asked -> offsetOrError(call, asked, deadline))
                            .toList())
                    .thenApply(GetPartitionsOffsetResponse::new);
        });
        methods.add(service, MessageMethods.GET_SCHEDULE_INFO, this::scheduleInfo);
        methods.add(service, MessageMethods.GET_TOPIC_CHECKPOINT, this::topicCheckpoint);
        methods.add(service, MessageMethods.GET_PARTITION_CHECKPOINT, this::partitionCheckpoint);
        methods.add(service, MessageMethods.DELETE_MESSAGE_INDEX, this::deleteMessages);
    }

    // --- put ---

    private CompletableFuture<TalosMethods.Reply> put(TalosCall call) {
        Exchange exchange = call.exchange();
        exchange.setRequestClass(RequestClass.PUT);
        PutMessageCodec.Put put = Objects.requireNonNull(TalosCall.decode(
                () -> ThriftEnvelope.readArguments(call.in(), in -> PutMessageCodec.read(in, parts.limits()))));
        TopicMetadata topic = topics.find(call, put.topicAndPartition());
        return partitions
                .put(new PutRequest(
                        TopicArguments.partition(topic, put.topicAndPartition()),
                        exchange.recycled(withoutBallast(put.batch(), call.body())),
                        idempotencyKey(call, put.sequenceId()),
                        topic.durability(),
                        topic.importance(),
                        deadline(exchange, put.timeoutTimestampMs()),
                        exchange.trace()))
                .thenApply(stored -> new TalosMethods.Reply(
                        new PutMessageResponse(put.sequenceId()).setIsTransfer(stored.forwarded())::write));
    }

    /**
     * Our own clients name a key. The Java SDK's {@code sequenceId} is one: it counts up. The Go SDK's is the same for
     * ever, so that its puts are never taken for repeats; nor are those of clients that are not known.
     */
    private static @Nullable IdempotencyKey idempotencyKey(TalosCall call, String sequenceId) {
        IdempotencyKey named = IdempotencyKeys.of(call.exchange());
        if (named != null) {
            return named;
        }
        boolean usable = call.client() == ClientKind.JAVA
                && !sequenceId.isEmpty()
                && sequenceId.length() <= IdempotencyKey.MAX_LENGTH;
        return usable ? IdempotencyKeys.ofSequenceId(call.exchange(), sequenceId) : null;
    }

    /** Copies the blocks if the body that they are slices of holds much else: it would be kept as long as they are. */
    static MessageBatch withoutBallast(MessageBatch batch, ByteSlice body) {
        if (body.length() <= SMALL_BODY_BYTES || body.length() / MAX_BODY_FACTOR <= batch.bytes()) {
            return batch;
        }
        return new MessageBatch(batch.blocks().stream()
                .map(block -> new MessageBlock(
                        block.messageNumber(),
                        block.compression(),
                        new ByteSlice(block.data().toByteArray()),
                        block.createTimestampMs(),
                        block.extraFields()))
                .toList());
    }

    // --- get ---

    private CompletableFuture<TalosMethods.Reply> get(TalosCall call) {
        Exchange exchange = call.exchange();
        exchange.setRequestClass(RequestClass.GET);
        GetMessageRequest request =
                Objects.requireNonNull(TalosCall.decode(() -> MessageMethods.GET_MESSAGE.readArguments(call.in())));
        TalosCall.checkedSequenceId(request.getSequenceId());
        TopicMetadata topic = topics.find(call, request.getTopicAndPartition());
        TopicPartition partition = TopicArguments.partition(topic, request.getTopicAndPartition());
        long offset = request.getMessageOffset();
        FetchRequest wanted = new FetchRequest(
                partition,
                from(offset),
                checkedPositive(request.getMaxGetMessageNumber(), "maxGetMessageNumber"),
                checkedPositive(request.getMaxGetMessageBytes(), "maxGetMessageBytes"),
                Duration.ZERO,
                topic.importance(),
                deadline(exchange, request.isSetTimeoutTimestamp() ? request.getTimeoutTimestamp() : null),
                exchange.trace());
        return partitions
                .fetch(wanted)
                .exceptionallyCompose(failure -> emptyForDemo(wanted, failure))
                .thenCompose(got -> exchange.work(got.isPlain(Exchange.SMALL_BYTES), () -> reply(call, request, got)));
    }

    private static TalosMethods.Reply reply(TalosCall call, GetMessageRequest request, FetchResult result) {
        List<StoredBlock> blocks = BlockCompatibility.readableBy(
                call.client(), request.isSetTimeoutTimestamp(), result.blocks(), new DecodingRoom(call.exchange()));
        return reply(request, result.withBlocks(blocks));
    }

    /** The simple consumer of the SDK's demo begins at offset 1, maybe of an empty partition, and ends at any exception. */
    private CompletableFuture<FetchResult> emptyForDemo(FetchRequest wanted, Throwable failure) {
        boolean outOfRange = GatewayException.in(failure)
                .map(reason -> reason.code() == ErrorCode.OFFSET_OUT_OF_RANGE)
                .orElse(false);
        if (!outOfRange || !wanted.from().equals(new FetchFrom.Offset(1))) {
            return CompletableFuture.failedFuture(failure);
        }
        return partitions.describe(wanted.partition(), wanted.deadline()).thenCompose(status -> {
            FetchResult nothing = new FetchResult(List.of(), 1, 0, 0, false);
            return status.logEndOffset() == 0
                    ? CompletableFuture.completedFuture(nothing)
                    : CompletableFuture.failedFuture(failure);
        });
    }

    private static FetchFrom from(long offset) {
        if (offset == EARLIEST) {
            return new FetchFrom.Earliest();
        }
        if (offset == LAST_MESSAGE) {
            return new FetchFrom.LastMessage();
        }
        if (offset < 0) {
            throw new GatewayException(
                    ErrorCode.INVALID_OFFSET,
                    "The offset " + offset
                            + " is not valid: use 0 or more, -1 for the earliest or -2 for the last message.");
        }
        return new FetchFrom.Offset(offset);
    }

    private static int checkedPositive(int value, String name) {
        if (value < 1) {
            throw new GatewayException(ErrorCode.MALFORMED_REQUEST, name + " must be positive, not " + value + ".");
        }
        return value;
    }

    private static TalosMethods.Reply reply(GetMessageRequest request, FetchResult result) {
        long unhandled = Math.max(0, result.logEndOffset() - Math.max(result.nextOffset(), result.logStartOffset()));
        return new TalosMethods.Reply(out -> GetMessageCodec.write(
                out,
                result.blocks(),
                result.messageCount(),
                request.isShowUnHandledMessageNumber() && result.knowsEnd() ? unhandled : null,
                request.getSequenceId(),
                result.forwarded()));
    }

    // --- offsets and owners ---

    private CompletableFuture<GetTopicOffsetResponse> topicOffset(TalosCall call, GetTopicOffsetRequest request) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        TopicMetadata topic = topics.find(call, request.getTopicTalosResourceName());
        List<TopicPartition> asked = topic.allPartitions().toList();
        return partitions
                .describe(asked, deadline(call.exchange(), null))
                .thenApply(PartitionStatuses::byPartition)
                .thenApply(statuses -> new GetTopicOffsetResponse(asked.stream()
                        .map(partition -> offset(partition, statuses.get(partition)))
                        .toList()));
    }

    private static OffsetInfo offset(TopicPartition partition, @Nullable PartitionStatus status) {
        return status == null
                ? error(
                        partition.partition(),
                        new GatewayException(
                                ErrorCode.PARTITION_NOT_SERVING,
                                "No host serves the partition right now; try again shortly."))
                : offset(status);
    }

    /**
     * The Java SDKs know no exception of this method and look for the error in the result; the Go SDK looks for an
     * exception only. A failure carries both.
     */
    private CompletableFuture<TalosMethods.Reply> partitionOffset(TalosCall call) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        GetPartitionOffsetRequest request = Objects.requireNonNull(
                TalosCall.decode(() -> MessageMethods.GET_PARTITION_OFFSET.readArguments(call.in())));
        TopicAndPartition asked = request.getTopicAndPartition();
        return offset(call, asked, deadline(call.exchange(), null))
                .thenApply(found -> new TalosMethods.Reply(new GetPartitionOffsetResponse(found)::write))
                .exceptionally(failure -> {
                    GatewayException e =
                            GatewayException.in(failure).orElseThrow(() -> new CompletionException(failure));
                    return new TalosMethods.Reply(
                            new GetPartitionOffsetResponse(error(asked.getPartitionId(), e))::write,
                            TalosErrors.exception(e),
                            e.code().text());
                });
    }

    private CompletableFuture<OffsetInfo> offsetOrError(TalosCall call, TopicAndPartition asked, Deadline deadline) {
        return offset(call, asked, deadline)
                .exceptionally(failure -> error(
                        asked.getPartitionId(),
                        GatewayException.in(failure).orElseThrow(() -> new CompletionException(failure))));
    }

    private CompletableFuture<OffsetInfo> offset(TalosCall call, TopicAndPartition asked, Deadline deadline) {
        try {
            return partitions
                    .describe(TopicArguments.partition(topics.find(call, asked), asked), deadline)
                    .thenApply(MessageCalls::offset);
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** The end offset is that of the last message: -1 while there has been none. */
    private static OffsetInfo offset(PartitionStatus status) {
        return new OffsetInfo(status.partition().partition())
                .setStartOffset(status.logStartOffset())
                .setEndOffset(status.logEndOffset() - 1);
    }

    private static OffsetInfo error(int partition, GatewayException reason) {
        return new OffsetInfo(partition)
                .setErrorCode(TalosErrors.exception(reason).getErrorCode())
                .setErrorMsg(reason.detail());
    }

    /**
     * SDKs speak plain HTTP to the addresses that they learn here, even when they were given an https endpoint. What is left
     * out goes to the endpoint: everything for who came over TLS, so that nothing of theirs travels in the clear, and the
     * partitions of hosts that do not speak plain HTTP.
     */
    private CompletableFuture<GetScheduleInfoResponse> scheduleInfo(TalosCall call, GetScheduleInfoRequest request) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        TopicMetadata topic = topics.find(call, request.getTopicTalosResourceName());
        Map<TopicAndPartition, String> schedule = new HashMap<>();
        if (call.exchange().request().isSecure()) {
            return CompletableFuture.completedFuture(new GetScheduleInfoResponse(schedule));
        }
        topic.allPartitions()
                .forEach(partition -> owners.apply(partition)
                        .filter(owner -> !owner.startsWith("https:"))
                        .ifPresent(owner -> schedule.put(
                                new TopicAndPartition(
                                        topic.name().value(), TopicStructs.resourceName(topic), partition.partition()),
                                owner)));
        return CompletableFuture.completedFuture(new GetScheduleInfoResponse(schedule));
    }

    private static <T> CompletableFuture<List<T>> all(List<CompletableFuture<T>> futures) {
        return CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new))
                .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
    }

    // --- times and deletion ---

    private CompletableFuture<GetCheckpointResponse> topicCheckpoint(TalosCall call, GetCheckpointRequest request) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        TopicMetadata topic = topics.find(call, request.getTopicTalosResourceName());
        Deadline deadline = deadline(call.exchange(), null);
        Map<Integer, CompletableFuture<Long>> lookups = new HashMap<>();
        request.getPartitionTimeIndexMap()
                .forEach((partition, timeMs) -> lookups.put(
                        partition, partitions.offsetAt(TopicArguments.partition(topic, partition), timeMs, deadline)));
        return CompletableFuture.allOf(lookups.values().toArray(CompletableFuture[]::new))
                .thenApply(done -> {
                    Map<Integer, Long> offsets = new HashMap<>();
                    lookups.forEach((partition, lookup) -> offsets.put(partition, lookup.join()));
                    return new GetCheckpointResponse(offsets);
                });
    }

    private CompletableFuture<GetPartitionCheckpointResponse> partitionCheckpoint(
            TalosCall call, GetPartitionCheckpointRequest request) {
        call.exchange().setRequestClass(RequestClass.DESCRIBE);
        TopicPartition partition = TopicArguments.partition(
                topics.find(call, request.getTopicAndPartition()), request.getTopicAndPartition());
        return partitions
                .offsetAt(partition, request.getPartitionTimeIndex(), deadline(call.exchange(), null))
                .thenApply(GetPartitionCheckpointResponse::new);
    }

    private CompletableFuture<Void> deleteMessages(TalosCall call, DeleteMessageIndexRequest request) {
        call.exchange().setRequestClass(RequestClass.ADMIN);
        TopicPartition partition = TopicArguments.partition(
                topics.find(call, request.getTopicAndPartition()), request.getTopicAndPartition());
        return partitions.trim(
                partition, request.getStartOffset(), request.getEndOffset(), deadline(call.exchange(), null));
    }

    // --- shared ---

    private Deadline deadline(Exchange exchange, @Nullable Long timeoutTimestampMs) {
        return deadline(parts, exchange, timeoutTimestampMs);
    }

    /** @param timeoutTimestampMs the deadline on the client's clock, epoch milliseconds; null if the client names none */
    static Deadline deadline(HttpParts parts, Exchange exchange, @Nullable Long timeoutTimestampMs) {
        return DeadlinePolicy.deadline(
                exchange.startedAtNanos(),
                parts.wallClock().millis(),
                parts.config().requestTimeout(),
                timeoutTimestampMs,
                exchange.header(GalaxySignature.DATE_HEADER),
                TimeBudgets.of(exchange));
    }
}
