package io.talosgateway.client;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What became of the messages of one put that went to one partition. Either {@code stored} or {@code problem} is null.
 *
 * @param messages their places in the put, from 0, in the order of their offsets
 * @param status the HTTP status that they would have got alone
 */
public record PutPart(
        int partition,
        List<Integer> messages,
        int status,
        @Nullable Stored stored,
        @Nullable Problem problem) {

    public boolean isStored() {
        return stored != null;
    }
}
