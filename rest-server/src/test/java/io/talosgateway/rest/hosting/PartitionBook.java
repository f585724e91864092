package io.talosgateway.rest.hosting;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.Retry;
import io.talosgateway.rest.journal.AppendResult;
import io.talosgateway.rest.journal.JournalFixture;
import io.talosgateway.rest.journal.PartitionLog;
import io.talosgateway.rest.journal.ReadResult;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** What a simulation has put into a partition, and what it was answered. For one thread. */
final class PartitionBook {

    final TopicPartition partition;
    private final List<Put> puts = new ArrayList<>();
    private final Map<Long, Put> acknowledged = new HashMap<>();

    PartitionBook(TopicPartition partition) {
        this.partition = partition;
    }

    /** A put and all that was answered to it. */
    static final class Put {

        private final String payload;
        private final @Nullable IdempotencyKey key;
        private boolean answeredUnknown;
        private @Nullable Long offset;

        Put(String payload, @Nullable IdempotencyKey key) {
            this.payload = payload;
            this.key = key;
        }

        @Override
        public String toString() {
            return payload + (key == null ? "" : " with a key");
        }
    }

    Put add(String payload, boolean keyed) {
        Put put = new Put(payload, keyed ? new IdempotencyKey(payload, true) : null);
        puts.add(put);
        return put;
    }

    /** Sometimes a put with a key, which may be repeated whatever was answered. */
    @Nullable
    Put again(Random random) {
        if (puts.isEmpty() || random.nextInt(3) > 0) {
            return null;
        }
        Put put = puts.get(random.nextInt(puts.size()));
        return put.key == null ? null : put;
    }

    int acknowledgedPuts() {
        return acknowledged.size();
    }

    long acknowledgedEnd() {
        return acknowledged.keySet().stream()
                .mapToLong(offset -> offset + 1)
                .max()
                .orElse(0);
    }

    /** Puts, as the service for it does: a repeat is recognised by its key. */
    void append(HostedPartition hosted, Put put, boolean loseAnswer) {
        MessageBatch batch = JournalFixture.batch(put.payload);
        CompletableFuture<AppendResult> outcome;
        try {
            IdempotencyKey key = put.key;
            RecentPuts.Match match = key == null ? null : hosted.recentPuts().find(key.fingerprint(), batch.digest());
            CompletableFuture<AppendResult> earlier = match == null ? null : match.outcome();
            if (earlier != null) {
                outcome = earlier;
            } else {
                outcome = hosted.log()
                        .append(batch, key, Durability.DISK, Deadline.NONE)
                        .outcome();
                if (key != null) {
                    hosted.recentPuts().add(key.fingerprint(), batch.digest(), outcome, 0);
                }
            }
        } catch (GatewayException e) {
            return;
        }
        if (loseAnswer || !outcome.isDone()) {
            put.answeredUnknown = true;
            return;
        }
        outcome.whenComplete((result, failure) -> {
            if (result != null) {
                stored(put, result.firstOffset());
            } else if (!(failure instanceof GatewayException e) || e.retry() == Retry.OUTCOME_UNKNOWN) {
                put.answeredUnknown = true;
            }
        });
    }

    private void stored(Put put, long offset) {
        if (Boolean.getBoolean("simulation.trace")) {
            System.out.println("ACK " + partition + " " + put + " at " + offset);
        }
        Put other = acknowledged.putIfAbsent(offset, put);
        assertThat(other == null || other == put)
                .as("%s and %s at offset %d of %s", other, put, offset, partition)
                .isTrue();
        assertThat(put.offset == null || put.offset == offset)
                .as("%s at %s and at %d of %s", put, put.offset, offset, partition)
                .isTrue();
        put.offset = offset;
    }

    /** Reads everything and compares. */
    void check(PartitionLog log) {
        Map<String, Long> found = new HashMap<>();
        long offset = 0;
        while (offset < log.durableOffset()) {
            ReadResult read = log.read(offset, 100, 1 << 20);
            for (StoredBlock block : read.blocks()) {
                assertThat(block.startOffset())
                        .as("dense offsets of %s", partition)
                        .isEqualTo(offset++);
                Long before = found.put(block.block().data().utf8(), block.startOffset());
                assertThat(before)
                        .as("%s is in %s once", block.block().data().utf8(), partition)
                        .isNull();
            }
        }
        for (Put put : puts) {
            Long at = found.remove(put.payload);
            if (put.offset != null) {
                assertThat(at).as("where %s is in %s", put, partition).isEqualTo(put.offset);
            } else if (!put.answeredUnknown) {
                assertThat(at)
                        .as("%s, which was answered as not stored, in %s", put, partition)
                        .isNull();
            }
        }
        assertThat(found).as("what nobody has put into %s", partition).isEmpty();
    }
}
