package io.talosgateway.loadgen.content;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say what is sent. */
public final class MessageOptions {

    @Option(
            names = {"-f", "--format"},
            paramLabel = "raw|json|ndjson|thrift",
            defaultValue = "raw",
            description = {
                "How messages are sent, and asked for. Default: ${DEFAULT-VALUE}.",
                "raw, json and ndjson are of the JSON interface: one message as it is, or text in JSON (gets are in JSON, or in "
                        + "NDJSON for ndjson). thrift is the interface of the Talos SDKs, in the compact protocol and signed; its "
                        + "gets do not wait for messages, so that one without any is followed by a pause of 100 ms."
            })
    private Format format = Format.RAW;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            defaultValue = "10KiB",
            description = {
                "Size of a message: 100B, 10KiB, 1MiB. Default: ${DEFAULT-VALUE}.",
                "100B:70,10KiB:25,1MiB:5: these, with their weights."
            })
    private Sizes sizes = Sizes.fixed(1);

    @Option(
            names = {"-b", "--batch"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Messages of a put; not with raw. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(
            names = "--compression",
            paramLabel = "none|snappy|gzip|zstd|lz4",
            defaultValue = "none",
            description =
                    "How a put is compressed: thrift has all, the others none and gzip. Messages are then words, not random "
                            + "bytes. Default: ${DEFAULT-VALUE}.")
    private MessageCompression compression = MessageCompression.NONE;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "How long the gateway may take for a put. Default: as long as it wants.")
    private @Nullable Duration timeout;

    @Option(
            names = "--idempotency-keys",
            paramLabel = "on|off",
            defaultValue = "off",
            description = "Whether each put has an idempotency key of its own. Default: ${DEFAULT-VALUE}.")
    private Switch idempotencyKeys = Switch.OFF;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The same seed makes the same messages. Default: ${DEFAULT-VALUE}.")
    private long seed;

    enum Switch {
        ON,
        OFF
    }

    public Content content() {
        return new Content(format, sizes, batch, compression, timeout, seed, idempotencyKeys == Switch.ON);
    }
}
