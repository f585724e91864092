package io.talosgateway.rest.transaction;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.MessageBlock;

/** A change of the transactions of a partition; what is stored of it. */
sealed interface TransactionRecord {

    /** No transaction from now on has an id that is lower. */
    record Counted(long nextId) implements TransactionRecord {}

    /** The block is kept. */
    record Prepared(long id, TopicPartition partition, MessageBlock block) implements TransactionRecord {}

    /**
     * The transaction will be committed.
     *
     * @param fromOffset where its partition ended before, so that the block is at this offset or behind it, if it is stored
     */
    record Decided(long id, long fromOffset) implements TransactionRecord {}

    /** The block is stored in its partition, or dropped. */
    record Ended(long id, TopicPartition partition, boolean committed) implements TransactionRecord {}

    /** There is nothing of the topic. */
    record Forgotten(TopicId topic) implements TransactionRecord {}
}
