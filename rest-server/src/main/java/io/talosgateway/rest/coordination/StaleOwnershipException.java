package io.talosgateway.rest.coordination;

import io.talosgateway.rest.topic.TopicPartition;

/** An ownership record is not what it was thought to be: another host has taken the partition. */
public final class StaleOwnershipException extends Exception {

    private static final long serialVersionUID = 1L;

    public StaleOwnershipException(TopicPartition partition) {
        super("The ownership record of " + partition + " was changed by another host");
    }
}
