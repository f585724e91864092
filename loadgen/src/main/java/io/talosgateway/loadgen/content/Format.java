package io.talosgateway.loadgen.content;

import java.util.Locale;

/** How messages are written into requests, and which interface of the gateway takes them. */
public enum Format {
    /** One message, its bytes. */
    RAW,
    JSON,
    /** A line of JSON for each message. */
    NDJSON,
    /** The interface of the Talos SDKs: Thrift over HTTP, in the compact protocol, signed. */
    THRIFT;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
