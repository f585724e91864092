package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.http.rest.GetAnswers.Events;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** The streams of messages that are open at this host, as server-sent events. Safe for use by any thread; does not block. */
public final class EventStreams {

    static final String CONTENT_TYPE = "text/event-stream";

    /** How long a get waits at most. A key that is revoked, and a topic that is deleted, is noticed between two gets. */
    static final Duration MAX_POLL = Duration.ofSeconds(5);

    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** When clients come again after a stream has ended. */
    private static final long RETRY_MS = 1_000;

    private static final int MAX_MESSAGES = 1_000;
    private static final int MAX_BYTES = 256 * 1024;

    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private static final List<HttpField> HEADERS = List.of(
            new HttpField(HttpHeader.CACHE_CONTROL, "no-store"),
            // Proxies that would keep events back until they have many.
            new HttpField("X-Accel-Buffering", "no"));

    private static final Duration FOREVER = Duration.ofDays(36_500);

    private final StreamConfig config;
    private final AuthorizedTopics topics;
    private final Authenticator authenticator;
    private final PartitionService partitions;
    private final HttpParts parts;
    private final Duration poll;
    private final StreamSlots slots;
    private final Set<EventStream> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param maxWait longest wait of a get */
    public EventStreams(
            StreamConfig config,
            AuthorizedTopics topics,
            Authenticator authenticator,
            PartitionService partitions,
            Duration maxWait,
            HttpParts parts) {
        this.config = config;
        this.topics = topics;
        this.authenticator = authenticator;
        this.partitions = partitions;
        this.parts = parts;
        this.poll = shorter(shorter(MAX_POLL, config.heartbeat()), maxWait);
        this.slots = new StreamSlots(config.maxStreams(), config.maxPerClient());
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /** Streams that are open. */
    public int count() {
        return slots.open();
    }

    /** Ends all streams: the host shuts down, and waits for its requests. Their clients come again, to another host. */
    public void close() {
        closed = true;
        open.forEach(EventStream::close);
    }

    /** Where a stream goes on: behind the event that its client has seen last; null if it has seen none. */
    static @Nullable FetchFrom resumed(@Nullable String lastEventId) {
        if (lastEventId == null || lastEventId.isEmpty()) {
            return null;
        }
        if (lastEventId.equals("-1")) {
            return new FetchFrom.Offset(0);
        }
        if (!lastEventId.matches("\\d{1,18}")) {
            throw new GatewayException(
                    ErrorCode.INVALID_OFFSET,
                    "The header %s must be the id of an event of this stream, which is the offset of a message, not '%s'."
                            .formatted(LAST_EVENT_ID, lastEventId));
        }
        return new FetchFrom.Offset(Long.parseLong(lastEventId) + 1);
    }

    static @Nullable FetchFrom resumed(Exchange exchange) {
        return resumed(exchange.header(LAST_EVENT_ID));
    }

    /**
     * Begins a stream, or fails if there cannot be one.
     *
     * @return completed when the answer has begun; the answer in it is not for anybody
     */
    CompletableFuture<Answer> open(
            RestCall call, TopicMetadata topic, TopicPartition partition, FetchFrom from, ValueView view) {
        Exchange exchange = call.exchange();
        exchange.setRequestClass(RequestClass.STREAM);
        takeSlot(exchange);
        exchange.startWaiting(FOREVER);
        Answer begun = Answer.of(200, CONTENT_TYPE, ByteSlice.EMPTY).withHeaders(HEADERS);
        // Only to find out where it begins, and whether it can: until then, the answer can be a failure.
        return partitions
                .fetch(request(topic, partition, from, Duration.ZERO, 1, 1).tracedBy(exchange.named()))
                .thenApply(first -> {
                    if (HttpMethod.HEAD.is(exchange.request().getMethod())) {
                        return begun;
                    }
                    begin(call, topic, partition, first, view);
                    return begun;
                });
    }

    private void takeSlot(Exchange exchange) {
        List<String> names = new ArrayList<>(2);
        names.add("address " + Request.getRemoteAddr(exchange.request()));
        String key = exchange.caller().keyId();
        if (key != null) {
            names.add("key " + key);
        }
        slots.take(names);
        Request.addCompletionListener(exchange.request(), failure -> slots.giveBack(names));
    }

    private FetchRequest request(
            TopicMetadata topic, TopicPartition partition, FetchFrom from, Duration wait, int messages, int bytes) {
        Deadline deadline =
                Deadline.after(parts.clock(), parts.config().requestTimeout().plus(wait));
        return new FetchRequest(partition, from, messages, bytes, wait, topic.importance(), deadline, null);
    }

    private void begin(
            RestCall call, TopicMetadata topic, TopicPartition partition, FetchResult first, ValueView view) {
        Exchange exchange = call.exchange();
        Duration pause = poll.isZero() ? shorter(PAUSE, config.heartbeat()) : shorter(PAUSE, poll);
        StreamState state = new StreamState(
                first.fromOffset(), config.heartbeat(), pause, parts.clock().nanoTime());
        EventStream stream = new EventStream(exchange, parts, state, (offset, stop) -> {
            check(call, topic);
            return events(exchange, topic, partition, offset, view, stop);
        });
        if (!exchange.beginStream(CONTENT_TYPE, HEADERS)) {
            return;
        }
        open.add(stream);
        Request.addCompletionListener(exchange.request(), failure -> {
            open.remove(stream);
            stream.ended();
        });
        stream.begin(RETRY_MS);
        CompletableFuture<Void> gone = exchange.gone();
        if (gone != null) {
            gone.thenRun(stream::clientGone);
        }
        exchange.watchClient();
        if (closed) {
            stream.close();
        }
    }

    /**
     * Whether the caller may still get these messages.
     *
     * @throws GatewayException if not
     */
    private void check(RestCall call, TopicMetadata topic) {
        Principal principal = call.exchange().identifyAgain(authenticator);
        TopicMetadata now = topics.find(principal, call.operation(), topic.name());
        if (!now.id().equals(topic.id())) {
            throw new GatewayException(
                    ErrorCode.TOPIC_NOT_FOUND,
                    "The topic '" + topic.name() + "' was deleted, and created again: its offsets begin at 0 again.");
        }
    }

    private CompletableFuture<Events> events(
            Exchange exchange,
            TopicMetadata topic,
            TopicPartition partition,
            long offset,
            ValueView view,
            CompletableFuture<Void> stop) {
        return partitions
                .fetch(request(topic, partition, new FetchFrom.Offset(offset), poll, MAX_MESSAGES, MAX_BYTES)
                        .tracedBy(exchange.named())
                        .endingWhen(stop))
                .thenCompose(got -> exchange.work(
                        got.isPlain(Exchange.SMALL_BYTES), () -> GetAnswers.events(exchange, got, MAX_MESSAGES, view)));
    }
}
