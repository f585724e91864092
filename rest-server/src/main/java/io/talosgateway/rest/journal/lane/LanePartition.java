package io.talosgateway.rest.journal.lane;

import io.talosgateway.rest.journal.file.JournalFile;
import io.talosgateway.rest.journal.file.PartitionEnd;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicPartition;

/** A partition as the lane sees that it is pinned to. Called by the lane's committer, but for what says otherwise. */
public interface LanePartition {

    /** For any thread. */
    TopicPartition partition();

    /** Written into every frame; for any thread. */
    OwnerEpoch epoch();

    /** Where it ends, with what is committed. */
    PartitionEnd end();

    /** Gives an append its offset and its time. */
    void assign(Append append, long nowMs);

    /** The offsets that were given since the last group was shown are free again. */
    void forgetUncommitted();

    /**
     * Has readers see an append that is committed.
     *
     * @param level the durability that it has reached
     */
    void show(Append append, JournalFile file, Durability level);

    /** A group with appends of this partition was shown. By the executor for completions. */
    void notifyDurable();

    /** No append is written any more. */
    void setReleased();

    boolean isReleased();

    /** True for the first who asks, of any threads: the partition leaves its lane once, released or closed. */
    boolean leaveLane();

    /** Whether anybody has asked that. For any thread. */
    boolean hasLeftLane();
}
