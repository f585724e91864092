package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.talosgateway.rest.journal.Journal;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import org.jspecify.annotations.Nullable;

/** Deletes what is not needed any more. What is known of the topics may be old; nothing is deleted because of that. Blocks. */
final class Upkeep {

    /** Clocks differ by minutes: files stay so much longer than their messages can be read. */
    private static final Duration CLOCK_SLACK = Duration.ofMinutes(15);

    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private final Cluster cluster;

    Upkeep(Cluster cluster) {
        this.cluster = cluster;
    }

    /** A crash may have come between the deletion of a topic and that of its records. */
    void deleteRecordsOfDeletedTopics() {
        List<TopicId> recorded = cluster.ownership().topics();
        if (recorded.stream().anyMatch(id -> cluster.topics().find(id) == null)) {
            // After the records: a topic is there before its records are.
            Set<TopicId> topics = cluster.topics().idsNow();
            recorded.stream().filter(id -> !topics.contains(id)).forEach(cluster.ownership()::delete);
        }
    }

    /** Lets messages go that are out of their topic's retention. */
    void expire(Journal journal) {
        journal.expire(new Retention(), CLOCK_SLACK);
    }

    /** Null for a topic that is deleted for sure. */
    private final class Retention implements Function<TopicId, @Nullable Duration> {

        private @Nullable Set<TopicId> now;

        @Override
        public @Nullable Duration apply(TopicId id) {
            TopicMetadata topic = cluster.topics().find(id);
            if (topic != null) {
                return topic.retention();
            }
            Set<TopicId> ids = now;
            if (ids == null) {
                ids = cluster.topics().idsNow();
                now = ids;
            }
            return ids.contains(id) ? FOR_EVER : null;
        }
    }
}
