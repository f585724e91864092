package io.talosgateway.rest.journal.file;

import java.nio.ByteBuffer;

import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;

/** A partition in 20 bytes: the topic's id, then the partition's number. */
final class PartitionCodec {

    static final int BYTES = 20;

    private PartitionCodec() {}

    static TopicPartition get(ByteBuffer in, int at) {
        return new TopicPartition(new TopicId(in.getLong(at), in.getLong(at + 8)), in.getInt(at + 16));
    }

    static TopicPartition get(ByteBuffer in) {
        TopicPartition partition = get(in, in.position());
        in.position(in.position() + BYTES);
        return partition;
    }

    static void put(ByteBuffer out, TopicPartition partition) {
        out.putLong(partition.topic().mostSignificant());
        out.putLong(partition.topic().leastSignificant());
        out.putInt(partition.partition());
    }
}
