package io.talosgateway.rest.partition;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.talosgateway.rest.topic.TopicId;
import org.jspecify.annotations.Nullable;

/**
 * Something that is asked of a consumer group. All of them may be asked again when there was no answer.
 *
 * @param group the group; for {@link Operation#LIST} what its name begins with
 * @param worker who asks; empty where that does not matter
 * @param partitions the partitions of each topic that it is about; with none, the topic itself
 * @param offset what is committed, or {@link GroupEntry#NOTHING_COMMITTED}
 * @param expectedOffset what must have been committed before; null if that does not matter
 */
public record GroupRequest(
        Operation operation,
        String group,
        String worker,
        Map<TopicId, List<Integer>> partitions,
        long offset,
        @Nullable Long expectedOffset) {

    /** What is asked. The names travel between hosts: never rename one. */
    public enum Operation {
        /**
         * The worker lives, and wants these partitions; it is registered if it is not. Answered with those that live workers
         * hold, and who. What it holds and does not claim again within a lease is free then.
         */
        CLAIM,
        /** The worker lives, and keeps what it holds; it is registered if it is not. */
        HEARTBEAT,
        /** The worker gives partitions up; those that it does not hold are left as they are. */
        RELEASE,
        /** The worker has processed the messages up to an offset. Not accepted if it does not hold the partition. */
        COMMIT,
        /** Who holds partitions, and what is committed: an entry for each. */
        FIND,
        /** The live workers of topics: an entry for each partition they hold, and one for those that hold none. */
        WORKERS,
        /** What is known of the topics in all groups of a prefix; of all topics, if none is given. */
        LIST,
        /** Forgets a group. Not accepted while it has live workers, who are told then. */
        DELETE,
        /**
         * The worker lives, and wants its fair share of these partitions, which are all of a topic; it is registered if it is not. What
         * it holds beyond that it gives up, what is free it gets. Answered with what it holds.
         */
        BALANCE,
        /** The worker goes, and gives everything up that it holds of these topics. */
        LEAVE,
        /** Sets what is committed, also backwards. Not accepted while the topic has live workers, who are told then. */
        RESET
    }

    public GroupRequest {
        partitions = Map.copyOf(partitions);
    }

    private static GroupRequest of(
            Operation operation, String group, String worker, Map<TopicId, List<Integer>> partitions) {
        return new GroupRequest(operation, group, worker, partitions, GroupEntry.NOTHING_COMMITTED, null);
    }

    public static GroupRequest claim(String group, String worker, Map<TopicId, List<Integer>> partitions) {
        return of(Operation.CLAIM, group, worker, partitions);
    }

    public static GroupRequest heartbeat(String group, String worker, TopicId topic) {
        return of(Operation.HEARTBEAT, group, worker, withoutPartitions(List.of(topic)));
    }

    /** @param partitions all of the topic */
    public static GroupRequest balance(String group, String worker, TopicId topic, List<Integer> partitions) {
        return of(Operation.BALANCE, group, worker, Map.of(topic, partitions));
    }

    public static GroupRequest leave(String group, String worker, TopicId topic) {
        return of(Operation.LEAVE, group, worker, withoutPartitions(List.of(topic)));
    }

    /** @param offset of the last message that counts as processed, or {@link GroupEntry#NOTHING_COMMITTED} */
    public static GroupRequest reset(String group, TopicId topic, int partition, long offset) {
        return new GroupRequest(Operation.RESET, group, "", Map.of(topic, List.of(partition)), offset, null);
    }

    public static GroupRequest release(String group, String worker, Map<TopicId, List<Integer>> partitions) {
        return of(Operation.RELEASE, group, worker, partitions);
    }

    /** @param offset of the last message that was processed */
    public static GroupRequest commit(
            String group, String worker, TopicId topic, int partition, long offset, @Nullable Long expectedOffset) {
        return new GroupRequest(
                Operation.COMMIT, group, worker, Map.of(topic, List.of(partition)), offset, expectedOffset);
    }

    public static GroupRequest find(String group, TopicId topic, List<Integer> partitions) {
        return of(Operation.FIND, group, "", Map.of(topic, partitions));
    }

    public static GroupRequest workers(String group, List<TopicId> topics) {
        return of(Operation.WORKERS, group, "", withoutPartitions(topics));
    }

    /** @param topics all if empty */
    public static GroupRequest list(String prefix, List<TopicId> topics) {
        return of(Operation.LIST, prefix, "", withoutPartitions(topics));
    }

    public static GroupRequest delete(String group, TopicId topic) {
        return of(Operation.DELETE, group, "", withoutPartitions(List.of(topic)));
    }

    private static Map<TopicId, List<Integer>> withoutPartitions(List<TopicId> topics) {
        return topics.stream().distinct().collect(Collectors.toUnmodifiableMap(topic -> topic, topic -> List.of()));
    }
}
