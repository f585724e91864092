package io.talosgateway.rest.stages;

import java.util.Locale;

/** A place on the way of a request, in the order of the way. */
public enum Stage {
    /** Its headers had arrived. */
    RECEIVED,
    /** It was handed to the host that owns the partition; what comes before the return is not known here. */
    FORWARDED,
    /** The owner's answer had come. */
    RETURNED,
    /** Its body was read, it was permitted, and it went into the queue of its partition. */
    QUEUED,
    /** A worker took it. */
    STARTED,
    /** Its lane began to write the group that it is in. */
    WRITING,
    /** The group was written. */
    WRITTEN,
    /** The group was durable, and readers could see it. */
    SYNCED,
    /** Its messages were read. */
    READ,
    /** Its answer began to be sent. */
    ANSWERED;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As it is written in the answer. */
    public String text() {
        return text;
    }

    /** Its place in an array that has one for each stage; in this process only. */
    @SuppressWarnings("EnumOrdinal") // an EnumMap would box each time
    int place() {
        return ordinal();
    }
}
