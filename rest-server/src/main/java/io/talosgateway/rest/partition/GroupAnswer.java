package io.talosgateway.rest.partition;

import java.util.List;

/**
 * What a consumer group answers.
 *
 * @param accepted whether a change was made; a claim is always
 * @param entries what was asked for; or what is in the way: the partitions that other workers hold
 */
public record GroupAnswer(boolean accepted, List<GroupEntry> entries) {

    public GroupAnswer {
        entries = List.copyOf(entries);
    }
}
