package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.DeadlinePolicy;
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
import io.talosgateway.rest.partition.PutCondition;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.format.BlockAround;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import org.jspecify.annotations.Nullable;

/** Putting and getting messages on the JSON interface. */
public final class MessageOperations {

    private static final String TOPIC_MESSAGES = "/v1/topics/{topic}/messages";
    private static final String PARTITION_MESSAGES = "/v1/topics/{topic}/partitions/{partition}/messages";
    private static final String EXPECTED_OFFSET = "expected-offset";
    private static final String FENCING_TOKEN = "fencing-token";
    private static final Set<String> PUT_QUERY = Set.of("key", EXPECTED_OFFSET, FENCING_TOKEN);
    static final int DEFAULT_MAX_MESSAGES = 100;
    static final int DEFAULT_MAX_BYTES = 1 << 20;

    private final AuthorizedTopics topics;
    private final PartitionService partitions;
    private final EventStreams streams;
    private final Duration maxWait;
    private final PartitionChooser chooser = new PartitionChooser();
    private final HttpParts parts;

    /** @param maxWait longest wait for messages; a get that wants to wait longer waits so long */
    public MessageOperations(
            AuthorizedTopics topics,
            PartitionService partitions,
            EventStreams streams,
            Duration maxWait,
            HttpParts parts) {
        this.streams = streams;
        this.topics = topics;
        this.partitions = partitions;
        this.maxWait = maxWait;
        this.parts = parts;
    }

    List<RestRoute> routes() {
        return List.of(
                new RestRoute(Operation.REST_PUT_TO_TOPIC, "POST", TOPIC_MESSAGES, RequestClass.PUT, this::putToTopic),
                new RestRoute(
                        Operation.REST_PUT_TO_PARTITION,
                        "POST",
                        PARTITION_MESSAGES,
                        RequestClass.PUT,
                        this::putToPartition),
                new RestRoute(Operation.REST_GET_MESSAGES, "GET", PARTITION_MESSAGES, RequestClass.GET, this::get));
    }

    /** Where and how messages were stored. */
    record StoredJson(
            String topic,
            int partition,
            long firstOffset,
            int count,
            String durability,
            boolean repeat,
            long appendedAtMs) {

        /** Enough for nearly all. */
        private static final int FIXED_BYTES = 144;

        static StoredJson of(TopicMetadata topic, PutResult result) {
            return new StoredJson(
                    topic.name().value(),
                    result.partition(),
                    result.firstOffset(),
                    result.messageCount(),
                    result.durability().text(),
                    result.repeat(),
                    result.appendTimestampMs());
        }

        /** What {@link Json#write} makes of it, with less garbage: each put has such an answer. */
        ByteSlice json() {
            return new PlainJson(FIXED_BYTES + topic.length())
                    .text("{\"topic\":\"")
                    .text(topic)
                    .text("\",\"partition\":")
                    .number(partition)
                    .text(",\"firstOffset\":")
                    .number(firstOffset)
                    .text(",\"count\":")
                    .number(count)
                    .text(",\"durability\":\"")
                    .text(durability)
                    .text(repeat ? "\",\"repeat\":true" : "\",\"repeat\":false")
                    .text(",\"appendedAtMs\":")
                    .number(appendedAtMs)
                    .text("}")
                    .written();
        }
    }

    /**
     * What became of the messages that went to one partition.
     *
     * @param messages their places in the request, from 0, in the order of their offsets
     * @param status as if they had been put alone
     */
    record PartJson(
            int partition,
            List<Integer> messages,
            int status,
            @Nullable StoredJson stored,
            @Nullable ProblemJson problem) {}

    record PartsJson(String topic, List<PartJson> results) {}

    // --- put ---

    private CompletableFuture<Answer> putToPartition(RestCall call) {
        TopicMetadata topic = call.topic(topics);
        TopicPartition partition = TopicOperations.partition(topic, call.pathParameter("partition"));
        List<Message> messages = messages(call, PUT_QUERY);
        return put(
                        call,
                        topic,
                        partition,
                        messages,
                        IdempotencyKeys.of(call.exchange()),
                        PutCondition.of(expectedOffset(call), fencingToken(call)),
                        call.exchange().trace())
                .thenApply(result -> Answer.of(
                        200, Json.CONTENT_TYPE, StoredJson.of(topic, result).json()));
    }

    private CompletableFuture<Answer> putToTopic(RestCall call) {
        TopicMetadata topic = call.topic(topics);
        List<Message> messages = messages(call, Set.of("key"));
        IdempotencyKey key = IdempotencyKeys.of(call.exchange());
        List<CompletableFuture<PartJson>> puts = new ArrayList<>();
        Map<Integer, List<Integer>> chosen = chooser.choose(topic, messages, key);
        RequestTrace whole = call.exchange().trace();
        // Several puts pass each stage at several times.
        RequestTrace trace = chosen.size() == 1 ? whole : call.exchange().named();
        chosen.forEach((partition, places) -> {
            List<Message> part = places.stream().map(messages::get).toList();
            CompletableFuture<PutResult> put =
                    put(call, topic, topic.partition(partition), part, key, PutCondition.NONE, trace);
            // One that is alone is refused as a put to its partition is.
            puts.add(
                    chosen.size() == 1
                            ? put.thenApply(result -> stored(topic, partition, places, result))
                            : put.handle((result, failure) -> result == null
                                    ? notStored(call.exchange(), partition, places, Objects.requireNonNull(failure))
                                    : stored(topic, partition, places, result)));
        });
        return CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).thenApply(done -> {
            List<PartJson> results = puts.stream().map(CompletableFuture::join).toList();
            return partsAnswer(topic, results);
        });
    }

    private static @Nullable Long expectedOffset(RestCall call) {
        String text = call.queryParameter(EXPECTED_OFFSET);
        if (text == null) {
            return null;
        }
        if (!text.matches("\\d{1,18}")) {
            throw new GatewayException(
                    ErrorCode.INVALID_OFFSET,
                    "The query parameter " + EXPECTED_OFFSET
                            + " must be an offset: the one that the first message shall get.");
        }
        return Long.parseLong(text);
    }

    private static @Nullable String fencingToken(RestCall call) {
        String token = call.queryParameter(FENCING_TOKEN);
        return token == null ? null : FencingTokenOperations.checked(token);
    }

    private List<Message> messages(RestCall call, Set<String> query) {
        call.allowQuery(query);
        return PutBody.read(call.exchange(), call.body(), call.queryParameter("key"), parts.limits());
    }

    private CompletableFuture<PutResult> put(
            RestCall call,
            TopicMetadata topic,
            TopicPartition partition,
            List<Message> messages,
            @Nullable IdempotencyKey key,
            PutCondition condition,
            RequestTrace trace) {
        MessageBatch batch = call.exchange().recycled(new MessageBatch(List.of(block(call, messages))));
        PutRequest request = new PutRequest(
                partition,
                batch,
                key,
                topic.durability(),
                topic.importance(),
                deadline(call, parts, Duration.ZERO),
                trace);
        return partitions.put(request.onlyIf(condition));
    }

    /** Without compression: whoever wants it can have it with an SDK, and every client reads this. */
    private static MessageBlock block(RestCall call, List<Message> messages) {
        Message first = messages.get(0);
        // A raw message is not copied.
        MessageBlock around =
                messages.size() == 1 && call.exchange().isBody(first.payload()) ? BlockAround.of(first) : null;
        return around == null ? MessageEncoder.encode(messages, MessageVersion.V3, Compression.NONE) : around;
    }

    private static PartJson stored(TopicMetadata topic, int partition, List<Integer> places, PutResult result) {
        return new PartJson(partition, places, 200, StoredJson.of(topic, result), null);
    }

    private PartJson notStored(Exchange exchange, int partition, List<Integer> places, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        GatewayException reason;
        if (cause instanceof GatewayException known) {
            reason = known;
        } else {
            parts.failures().log(exchange, cause);
            reason = new GatewayException(ErrorCode.INTERNAL, "The gateway made a mistake.", cause);
        }
        return new PartJson(partition, places, reason.code().httpStatus(), null, ProblemJson.of(reason, null));
    }

    /** 200 if all is stored; else 207, and an entry says what became of which. */
    private static Answer partsAnswer(TopicMetadata topic, List<PartJson> results) {
        int status = results.stream().allMatch(part -> part.stored != null) ? 200 : 207;
        return Answer.of(
                        status,
                        Json.CONTENT_TYPE,
                        Json.write(new PartsJson(topic.name().value(), results)))
                .withOutcome(status == 200 ? Answer.OK : "partial");
    }

    // --- get ---

    private CompletableFuture<Answer> get(RestCall call) {
        return GetAnswers.wantsEvents(call.exchange().header("Accept")) ? stream(call) : getOnce(call);
    }

    /** A client that comes again does so with the query that it began with: where it was goes before that. */
    private CompletableFuture<Answer> stream(RestCall call) {
        call.allowQuery(Set.of("offset", "timestamp-ms", "value"));
        TopicMetadata topic = call.topic(topics);
        TopicPartition partition = TopicOperations.partition(topic, call.pathParameter("partition"));
        ValueView view = ValueView.of(call.queryParameter("value"));
        FetchFrom resumed = EventStreams.resumed(call.exchange());
        return streams.open(call, topic, partition, resumed == null ? from(call) : resumed, view);
    }

    private CompletableFuture<Answer> getOnce(RestCall call) {
        call.allowQuery(Set.of("offset", "timestamp-ms", "max-messages", "max-bytes", "wait", "value"));
        TopicMetadata topic = call.topic(topics);
        TopicPartition partition = TopicOperations.partition(topic, call.pathParameter("partition"));
        GetAnswers.Form form = GetAnswers.form(call.exchange().header("Accept"));
        ValueView view = view(call, form);
        int maxMessages = form == GetAnswers.Form.RAW ? 1 : call.intParameter("max-messages", DEFAULT_MAX_MESSAGES, 1);
        Duration maxWait = shorter(call.durationParameter("wait"), this.maxWait);
        if (!maxWait.isZero()) {
            call.exchange().startWaiting(maxWait);
        }
        FetchRequest request = new FetchRequest(
                partition,
                from(call),
                maxMessages,
                call.intParameter("max-bytes", DEFAULT_MAX_BYTES, 1),
                maxWait,
                topic.importance(),
                deadline(call, parts, maxWait),
                call.exchange().trace());
        CompletableFuture<FetchResult> fetched =
                partitions.fetch(request.endingWhen(call.exchange().gone()));
        if (!fetched.isDone()) {
            call.exchange().watchClient();
        }
        return fetched.thenCompose(got -> call.exchange()
                .work(
                        got.isPlain(Exchange.SMALL_BYTES),
                        () -> GetAnswers.answer(
                                call.exchange(),
                                topic.name().value(),
                                partition.partition(),
                                got,
                                maxMessages,
                                form,
                                view)));
    }

    private static ValueView view(RestCall call, GetAnswers.Form form) {
        String name = call.queryParameter("value");
        if (name != null && form == GetAnswers.Form.RAW) {
            throw RestCall.malformed(
                    "The query parameter value is for JSON; a raw message (application/octet-stream) is its bytes.");
        }
        return ValueView.of(name);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static FetchFrom from(RestCall call) {
        String offset = call.queryParameter("offset");
        String timestamp = call.queryParameter("timestamp-ms");
        if (timestamp != null && offset == null) {
            return new FetchFrom.Time(number("timestamp-ms", timestamp));
        }
        if (offset == null || timestamp != null) {
            throw RestCall.malformed("Say where to begin with offset=<number>, offset=earliest, offset=latest or"
                    + " timestamp-ms=<number>.");
        }
        return switch (offset) {
            case "earliest" -> new FetchFrom.Earliest();
            case "latest" -> new FetchFrom.Latest();
            default -> new FetchFrom.Offset(number("offset", offset));
        };
    }

    private static long number(String name, String text) {
        if (!text.matches("\\d{1,18}")) {
            throw new GatewayException(
                    ErrorCode.INVALID_OFFSET,
                    "The query parameter " + name + " must be a whole number from 0 on"
                            + (name.equals("offset") ? ", earliest or latest" : "") + ", not '" + text + "'.");
        }
        return Long.parseLong(text);
    }

    // --- shared ---

    /** Waiting for messages does not count as taking long. */
    static Deadline deadline(RestCall call, HttpParts parts, Duration maxWait) {
        return DeadlinePolicy.deadline(
                call.exchange().startedAtNanos(),
                parts.wallClock().millis(),
                parts.config().requestTimeout().plus(maxWait),
                null,
                null,
                TimeBudgets.of(call.exchange()));
    }
}
