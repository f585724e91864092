package io.talosgateway.rest.http.talos;

import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.DecodingRoom;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.GetDataPreviewRequest;
import io.talosgateway.thrift.GetDataPreviewResponse;
import io.talosgateway.thrift.call.MetricMethods;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.MessageDecoder;
import io.talosgateway.wire.message.format.UndecodableBlockException;
import org.jspecify.annotations.Nullable;

/** The method of {@code MetricService} that shows people the latest messages of a partition. */
public final class DataPreviewCalls {

    /** Most messages that are shown. */
    static final int MAX_ROWS = 10;

    /** Most characters of a text that are shown. */
    static final int MAX_TEXT = 1_024;

    private static final int MAX_BYTES_OF_A_CHARACTER = 3;
    private static final int MAX_BYTES = 1 << 20;

    private static final String OFFSET = "offset";
    private static final String APPENDED_AT = "appendTimestamp";
    private static final String KEY = "partitionKey";
    private static final String MESSAGE = "message";
    private static final List<String> TITLES = List.of(OFFSET, APPENDED_AT, KEY, MESSAGE);

    private final TopicArguments topics;
    private final PartitionService partitions;

    public DataPreviewCalls(AuthorizedTopics topics, PartitionService partitions) {
        this.topics = new TopicArguments(topics);
        this.partitions = partitions;
    }

    void register(TalosMethods methods) {
        methods.add(ThriftService.METRIC, MetricMethods.GET_DATA_PREVIEW, this::preview);
    }

    private CompletableFuture<GetDataPreviewResponse> preview(TalosCall call, GetDataPreviewRequest request) {
        call.exchange().setRequestClass(RequestClass.GET);
        TopicMetadata topic = topics.find(call, request.getTopicAndPartition());
        TopicPartition partition = TopicArguments.partition(topic, request.getTopicAndPartition());
        Deadline deadline = call.exchange().deadline();
        return partitions.describe(partition, deadline).thenCompose(status -> {
            if (status.messageCount() == 0) {
                return CompletableFuture.completedFuture(new GetDataPreviewResponse(TITLES, List.of(), 0));
            }
            return partitions
                    .fetch(latest(topic, status, deadline)
                            .tracedBy(call.exchange().named()))
                    .thenCompose(result ->
                            call.exchange().work(false, () -> rows(result, new DecodingRoom(call.exchange()))));
        });
    }

    private static FetchRequest latest(TopicMetadata topic, PartitionStatus status, Deadline deadline) {
        long from = Math.max(status.logStartOffset(), status.logEndOffset() - MAX_ROWS);
        return new FetchRequest(
                status.partition(),
                new FetchFrom.Offset(from),
                MAX_ROWS,
                MAX_BYTES,
                Duration.ZERO,
                topic.importance(),
                deadline,
                null);
    }

    private static GetDataPreviewResponse rows(FetchResult result, DecodingRoom room) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (StoredBlock block : result.blocks()) {
            long offset = block.startOffset();
            for (Message message : messages(block, room)) {
                if (offset >= result.fromOffset() && offset < block.endOffset() && rows.size() < MAX_ROWS) {
                    rows.add(row(offset, message));
                }
                offset++;
            }
        }
        return new GetDataPreviewResponse(TITLES, rows, rows.size()).setIsTransfer(result.forwarded());
    }

    private static List<Message> messages(StoredBlock block, DecodingRoom room) {
        try {
            return MessageDecoder.decode(block, DecodingRoom.MAX_BYTES, room);
        } catch (UndecodableBlockException e) {
            room.throwRefusal();
            throw new GatewayException(
                    ErrorCode.NOT_ACCEPTABLE,
                    "The messages from offset %d to %d cannot be shown: %s"
                            .formatted(block.startOffset(), block.endOffset() - 1, e.getMessage()),
                    e);
        }
    }

    private static Map<String, String> row(long offset, Message message) {
        Long appendedAtMs = message.appendTimestampMs();
        return Map.of(
                OFFSET, Long.toString(offset),
                APPENDED_AT,
                        appendedAtMs == null
                                ? ""
                                : Instant.ofEpochMilli(appendedAtMs).toString(),
                KEY, shown(message.key()),
                MESSAGE, shown(text(message.payload())));
    }

    /** UTF-8 as it is, other bytes in Base64; a little more of either than is shown. */
    private static String text(ByteSlice payload) {
        int length = Math.min(payload.length(), (MAX_TEXT + 1) * MAX_BYTES_OF_A_CHARACTER);
        ByteSlice begin = payload.slice(0, length);
        CharBuffer text = CharBuffer.allocate(length);
        boolean isText = !StandardCharsets.UTF_8
                .newDecoder()
                .decode(begin.toByteBuffer(), text, length == payload.length())
                .isError();
        return isText ? text.flip().toString() : Base64.getEncoder().encodeToString(begin.toByteArray());
    }

    private static String shown(@Nullable String text) {
        if (text == null) {
            return "";
        }
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }
}
