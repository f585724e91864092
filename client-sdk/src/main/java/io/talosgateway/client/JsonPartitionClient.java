package io.talosgateway.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

/** A partition over the JSON interface. */
record JsonPartitionClient(HttpCaller caller, @Nullable String authorization, String path, Duration timeout)
        implements PartitionClient {

    private record Prepared(JsonPartitionClient partition, PutContent content, int messages) implements PreparedPut {

        @Override
        public CompletableFuture<Void> send(String idempotencyKey) {
            return partition.caller.send(
                    content.<Void>call(partition.authorization, idempotencyKey, answer -> null), partition.timeout);
        }

        @Override
        public int bodyBytes() {
            return content.body().length;
        }
    }

    @Override
    public PreparedPut prepare(List<NewMessage> messages) {
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("a put holds at least one message");
        }
        return new Prepared(this, PutContent.of(path, messages), messages.size());
    }

    @Override
    public CompletableFuture<Fetched> get(long offset, GetOptions options) {
        Position from = offset == EARLIEST ? Position.EARLIEST : Position.offset(offset);
        JsonCall<Fetched> call = new JsonCall<>(
                "GET",
                GatewayClient.getPath(path, from, options),
                JsonCall.headers(authorization, null),
                null,
                Retry.AFTER_BACKOFF,
                body -> Json.fetched(body, offset));
        return caller.send(call, timeout.plus(options.maxWait()));
    }

    @Override
    public PartitionClient withTimeout(Duration newTimeout) {
        return new JsonPartitionClient(caller, authorization, path, newTimeout);
    }

    /** Without the credentials. */
    @Override
    public String toString() {
        return path;
    }
}
