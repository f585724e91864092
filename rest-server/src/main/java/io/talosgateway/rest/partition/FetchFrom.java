package io.talosgateway.rest.partition;

/** Where a fetch begins. */
public sealed interface FetchFrom {

    /** At this offset. */
    record Offset(long offset) implements FetchFrom {}

    /** At the first message that is kept. */
    record Earliest() implements FetchFrom {}

    /** At the last message there is; nothing, if there is none. What the Talos SDKs mean by -2. */
    record LastMessage() implements FetchFrom {}

    /** Behind the last message there is: only what comes from now on. */
    record Latest() implements FetchFrom {}

    /** At the first message appended at or after this time, epoch milliseconds. */
    record Time(long timeMs) implements FetchFrom {}
}
