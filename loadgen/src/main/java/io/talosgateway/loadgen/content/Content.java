package io.talosgateway.loadgen.content;

import java.time.Duration;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;

/**
 * What is put, and how gets are asked.
 *
 * @param batch messages of a put
 * @param timeout how long the gateway may take for a put; null for the gateway's own limit
 * @param seed makes the same messages again
 * @param idempotencyKeys whether each put carries a key
 */
public record Content(
        Format format,
        Sizes sizes,
        int batch,
        MessageCompression compression,
        @Nullable Duration timeout,
        long seed,
        boolean idempotencyKeys) {

    private static final int MAX_BATCH = 100_000;
    private static final int LEAST_MESSAGES_OF_GET = 100;
    private static final int MAX_MESSAGES_OF_GET = 2_000;
    private static final int GET_BATCHES = 10;

    /** @throws LoadFailure with a sentence for the user if there is no such thing */
    public Content {
        LoadFailure.check(batch >= 1 && batch <= MAX_BATCH, "--batch must be 1 to " + MAX_BATCH);
        LoadFailure.check(
                format != Format.RAW || batch == 1,
                "--format raw sends one message in a request; for --batch use json, ndjson or thrift");
        LoadFailure.check(
                compression.existsIn(format),
                "--compression %s does not exist for --format %s: only thrift has it, the others have gzip"
                        .formatted(compression.text(), format.text()));
        LoadFailure.check(timeout == null || timeout.toMillis() >= 1, "--timeout must be at least 1ms");
    }

    /** Most messages that a get asks for: it can keep up with puts of batches. */
    public int messagesOfGet() {
        return Math.min(MAX_MESSAGES_OF_GET, Math.max(LEAST_MESSAGES_OF_GET, GET_BATCHES * batch));
    }

    /** Bytes of the messages of a put in the mean. */
    double meanPayload() {
        return batch * sizes.mean();
    }
}
