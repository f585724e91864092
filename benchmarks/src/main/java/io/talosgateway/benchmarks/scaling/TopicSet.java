package io.talosgateway.benchmarks.scaling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;

/**
 * Topics made up from a seed.
 *
 * @param name what the set is called in tables
 */
record TopicSet(String name, List<TopicMetadata> topics) {

    private static final int LARGEST = 4096;

    /** All of the same size. */
    static TopicSet even(int topics, int partitions, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TopicMetadata> made = new ArrayList<>();
        for (int number = 0; number < topics; number++) {
            made.add(topic(number, partitions, random));
        }
        return new TopicSet("%,d topics of %,d".formatted(topics, partitions), List.copyOf(made));
    }

    /** Few large topics and many small ones: sizes from 1 to 4,096, of which each power of two is as likely. */
    static TopicSet skewed(int partitions, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<TopicMetadata> made = new ArrayList<>();
        int left = partitions;
        while (left > 0) {
            int size = (int) Math.pow(LARGEST, random.nextDouble());
            made.add(topic(made.size(), Math.min(size, left), random));
            left -= size;
        }
        return new TopicSet("%,d topics of 1 to %,d".formatted(made.size(), LARGEST), List.copyOf(made));
    }

    private static TopicMetadata topic(int number, int partitions, SplittableRandom random) {
        return new TopicMetadata(
                new TopicName("topic-" + number),
                TopicId.random(random),
                "owner",
                partitions,
                Duration.ofDays(1),
                Map.of(),
                Map.of(),
                Quota.UNLIMITED,
                0);
    }
}
