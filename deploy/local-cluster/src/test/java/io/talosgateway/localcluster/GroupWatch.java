package io.talosgateway.localcluster;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.ConsumerGroup;
import io.talosgateway.client.GatewayClient;

/**
 * Describes a consumer group again and again until it is closed. Remembers each committed offset that fell, and for how long a member
 * that was there at the beginning was missing. Answers that fail say nothing and are left out. The results are for one thread, after
 * {@link #close}.
 */
final class GroupWatch implements AutoCloseable {

    private static final long PAUSE_MS = 50;

    private final GatewayClient client;
    private final String topic;
    private final String group;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "group-watch");

    private final Map<Integer, Long> highest = new HashMap<>();
    private final Set<String> members = new HashSet<>();
    private final Map<String, Long> missingSinceNanos = new HashMap<>();
    private final List<String> falls = new ArrayList<>();
    private long longestAbsenceNanos;
    private int answers;

    private GroupWatch(GatewayClient client, String topic, String group) {
        this.client = client;
        this.topic = topic;
        this.group = group;
    }

    /** Begins with a description that succeeds. */
    static GroupWatch of(GatewayClient client, String topic, String group) throws Exception {
        GroupWatch watch = new GroupWatch(client, topic, group);
        ConsumerGroup first = client.group(topic, group).get();
        watch.members.addAll(first.members());
        watch.note(first);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            while (!end.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
                try {
                    note(client.group(topic, group).get());
                } catch (ExecutionException e) {
                    // Its host is being restarted.
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void note(ConsumerGroup described) {
        answers++;
        for (ConsumerGroup.Progress progress : described.partitions()) {
            Long next = progress.nextOffset();
            if (next == null) {
                continue;
            }
            Long before = highest.put(progress.partition(), next);
            if (before != null && next < before) {
                falls.add("partition %d from %d to %d".formatted(progress.partition(), before, next));
            }
        }
        long nowNanos = System.nanoTime();
        for (String member : members) {
            if (described.members().contains(member)) {
                missingSinceNanos.remove(member);
            } else {
                Long since = missingSinceNanos.putIfAbsent(member, nowNanos);
                longestAbsenceNanos = Math.max(longestAbsenceNanos, since == null ? 0 : nowNanos - since);
            }
        }
    }

    /** Committed offsets that were lower than before. */
    List<String> falls() {
        return falls;
    }

    /** From the first description without a member to the last; 0 if none was ever missing twice in a row. */
    double longestAbsenceSeconds() {
        return longestAbsenceNanos / 1e9;
    }

    /** Descriptions that succeeded. */
    int answers() {
        return answers;
    }

    @Override
    public void close() throws InterruptedException {
        end.countDown();
        thread.join();
    }
}
