package io.talosgateway.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Messages;
import io.talosgateway.client.Position;
import io.talosgateway.client.Retry;
import org.jspecify.annotations.Nullable;

/** Reads one partition in order, one get at a time; holds no thread while it waits. */
final class MessageReader {

    private static final Duration LONG_POLL = Duration.ofSeconds(20);

    private final GatewayClient client;
    private final String topic;
    private final int partition;
    private final MessagePrinter printer;
    private volatile Position next;
    private volatile boolean reading;

    MessageReader(GatewayClient client, String topic, int partition, Position from, MessagePrinter printer) {
        this.client = client;
        this.topic = topic;
        this.partition = partition;
        this.next = from;
        this.printer = printer;
    }

    /** Reads everything before an offset. */
    CompletableFuture<Void> readTo(long logEndOffset) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        read(GetOptions.DEFAULT, logEndOffset, ended);
        return ended;
    }

    /** Reads on and on. Completes when the printer has had enough, or when one of the readers can never go on. */
    static CompletableFuture<Void> followAll(List<MessageReader> readers) {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        for (MessageReader reader : readers) {
            reader.read(GetOptions.DEFAULT.withMaxWait(LONG_POLL), Long.MAX_VALUE, ended);
        }
        return ended;
    }

    private void read(GetOptions options, long endOffset, CompletableFuture<Void> ended) {
        client.get(topic, partition, next, options).whenComplete((messages, failure) -> {
            if (failure != null) {
                goOnAfter(failure, options, endOffset, ended);
            } else if (printed(messages, options, endOffset)) {
                ended.complete(null);
            } else {
                read(options, endOffset, ended);
            }
        });
    }

    /** True if that was the last. */
    private boolean printed(Messages messages, GetOptions options, long endOffset) {
        printer.print(partition, messages.messages());
        next = Position.offset(messages.nextOffset());
        reading = true;
        boolean nothingMore = options.maxWait().isZero() && messages.messages().isEmpty();
        return nothingMore || messages.nextOffset() >= endOffset || printer.isDone();
    }

    private void goOnAfter(Throwable failure, GetOptions options, long endOffset, CompletableFuture<Void> ended) {
        GatewayClientException refusal = refusal(failure);
        if (refusal == null) {
            ended.completeExceptionally(failure);
            return;
        }
        boolean outOfRetention = "offset-out-of-range".equals(refusal.code());
        boolean mayPass =
                refusal.retry() == Retry.AFTER_BACKOFF && !options.maxWait().isZero();
        if (reading && outOfRetention) {
            printer.warn("partition %d: %s Reading on from the earliest.".formatted(partition, refusal.getMessage()));
            next = Position.EARLIEST;
            reading = false;
            read(options, endOffset, ended);
        } else if (mayPass) {
            printer.warn(refusal.getMessage() + " Still trying.");
            CompletableFuture.delayedExecutor(refusal.retryAfter().toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> read(options, endOffset, ended));
        } else {
            ended.completeExceptionally(refusal);
        }
    }

    private static @Nullable GatewayClientException refusal(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        if (failure instanceof GatewayClientException direct) {
            return direct;
        }
        return cause instanceof GatewayClientException wrapped ? wrapped : null;
    }
}
