package io.talosgateway.rest.statelog;

import java.util.List;
import java.util.Set;

import io.talosgateway.rest.topic.TopicId;

/**
 * A state that is made of the records of a log. Knows no storage and no clock: a time is a parameter, of one monotonic clock. Not
 * for several threads.
 *
 * @param <R> a record: some changes. Making them again, on what they have made, changes nothing.
 */
public interface LogState<R> {

    /** Makes the changes of a record. */
    void apply(R record, long nowNanos);

    /** How much there is, in the unit of {@link RecordCodec#weight}. */
    long size();

    /** The records that make this state of nothing. */
    List<R> asRecords();

    /** The topics that it knows something of. */
    Set<TopicId> topics();

    /** The records that make it forget topics. */
    List<R> forgetting(Set<TopicId> topics);
}
