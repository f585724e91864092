package io.talosgateway.client;

import java.time.Duration;

/**
 * Bounds of a get.
 *
 * @param maxMessages at most so many messages
 * @param maxBytes at most so many bytes as stored, but at least one message
 * @param maxWait how long to wait for a message if there is none; at once if zero
 */
public record GetOptions(int maxMessages, int maxBytes, Duration maxWait) {

    /** 1,000 messages, 1 MiB, no waiting. */
    public static final GetOptions DEFAULT = new GetOptions(1_000, 1 << 20, Duration.ZERO);

    /** As parameters of a request, without the first '?' or '&'. */
    String query() {
        String bounds = "max-messages=" + maxMessages + "&max-bytes=" + maxBytes;
        return maxWait.isZero() ? bounds : bounds + "&wait=" + maxWait.toMillis() + "ms";
    }

    public GetOptions withMaxMessages(int newMaxMessages) {
        return new GetOptions(newMaxMessages, maxBytes, maxWait);
    }

    public GetOptions withMaxWait(Duration newMaxWait) {
        return new GetOptions(maxMessages, maxBytes, newMaxWait);
    }
}
