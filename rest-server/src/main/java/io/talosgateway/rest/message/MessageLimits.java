package io.talosgateway.rest.message;

import io.talosgateway.rest.config.DataSize;

/**
 * What one put may hold.
 *
 * @param maxBodySize largest request body; the Talos SDKs need 21 MiB
 * @param maxMessageSize largest payload of one message, where the gateway sees messages (REST)
 * @param maxMessagesPerPut most messages in one put
 * @param maxBlocksPerPut most blocks in one put; the SDKs send one
 */
public record MessageLimits(DataSize maxBodySize, DataSize maxMessageSize, int maxMessagesPerPut, int maxBlocksPerPut) {

    public static final MessageLimits DEFAULT =
            new MessageLimits(DataSize.ofMiB(24), DataSize.ofMiB(10), 100_000, 1000);

    public MessageLimits {
        if (maxBodySize.toBytes() < 1024 || maxBodySize.toBytes() > 1 << 29) {
            throw new IllegalArgumentException("http.max-body-size must be 1KiB to 512MiB: " + maxBodySize);
        }
        if (maxMessageSize.toBytes() < 1) {
            throw new IllegalArgumentException("message.max-size must be positive: " + maxMessageSize);
        }
        if (maxMessagesPerPut < 1 || maxBlocksPerPut < 1 || maxBlocksPerPut > 65_535) {
            throw new IllegalArgumentException(
                    "message.max-per-put and message.max-blocks-per-put must be positive, the "
                            + "latter at most 65535: " + maxMessagesPerPut + ", " + maxBlocksPerPut);
        }
    }
}
