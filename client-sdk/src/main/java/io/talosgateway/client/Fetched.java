package io.talosgateway.client;

import java.util.List;
import java.util.function.Supplier;

/** The answer to a get, whose messages are not yet decoded. Immutable. */
public final class Fetched {

    private final int count;
    private final long nextOffset;
    private final long bytes;
    private final Supplier<List<Message>> decoder;

    Fetched(int count, long nextOffset, long bytes, Supplier<List<Message>> decoder) {
        this.count = count;
        this.nextOffset = nextOffset;
        this.bytes = bytes;
        this.decoder = decoder;
    }

    /** Number of messages. */
    public int count() {
        return count;
    }

    /** Where to go on reading; if there was no message, where this get began, as it was asked for. */
    public long nextOffset() {
        return nextOffset;
    }

    /** Size of what came, as it came: compressed over Thrift, with everything around it over JSON. */
    public long bytes() {
        return bytes;
    }

    /**
     * The messages, in the order of their offsets; decoded each time.
     *
     * @throws GatewayClientException if they cannot be decoded
     */
    public List<Message> messages() {
        return decoder.get();
    }
}
