package io.talosgateway.rest.http.rest;

import java.time.Duration;

/**
 * How streams of messages are served.
 *
 * @param maxStreams most streams that are open at once; further ones are refused
 * @param maxPercentPerClient most of them that one key, and one address, may have, in percent
 * @param heartbeat how long a stream without messages is silent
 */
public record StreamConfig(int maxStreams, int maxPercentPerClient, Duration heartbeat) {

    public StreamConfig {
        if (maxStreams < 0 || heartbeat.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "stream.max-streams must not be negative and stream.heartbeat be positive: " + maxStreams + ", "
                            + heartbeat);
        }
        if (maxPercentPerClient < 1 || maxPercentPerClient > 100) {
            throw new IllegalArgumentException(
                    "stream.max-percent-per-client must be 1 to 100: " + maxPercentPerClient);
        }
    }

    int maxPerClient() {
        return (int) Math.min(maxStreams, Math.max(1, (long) maxStreams * maxPercentPerClient / 100));
    }
}
