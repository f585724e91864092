package io.talosgateway.rest.consumergroup;

/** A change of what a group is on one topic. Making it again, on what it has made, changes nothing. */
sealed interface Change {

    /** The worker is registered. */
    record Joined(String worker) implements Change {}

    /** The worker is not registered any more, and holds nothing. */
    record Left(String worker) implements Change {}

    /** The worker holds the partition, whoever held it before. */
    record Claimed(int partition, String worker) implements Change {}

    /** Nobody holds the partition. */
    record Released(int partition) implements Change {}

    /** Messages up to the offset are processed. */
    record Committed(int partition, long offset) implements Change {}

    /** There is nothing: no worker, no offset. */
    record Forgotten() implements Change {}
}
