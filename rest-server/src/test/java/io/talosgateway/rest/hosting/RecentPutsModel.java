package io.talosgateway.rest.hosting;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.hosting.RecentPuts.Known;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.message.IdempotencyKey.Fingerprint;
import io.talosgateway.scheduler.NanoClock;

import static org.assertj.core.api.Assertions.assertThat;

/** The rules of {@link RecentPuts} as a list that is searched. */
final class RecentPutsModel {

    private final RecentPutsConfig config;
    private final NanoClock clock;
    private final int partitions;
    /** Oldest first. */
    private final List<Put> puts = new ArrayList<>();

    private record Put(
            int partition, Fingerprint key, long digest, long addedAtNanos, CompletableFuture<AppendResult> outcome) {}

    RecentPutsModel(RecentPutsConfig config, NanoClock clock, int partitions) {
        this.config = config;
        this.clock = clock;
        this.partitions = partitions;
    }

    void add(int partition, Fingerprint key, long digest, CompletableFuture<AppendResult> outcome) {
        forgetThoseThatFailed();
        puts.removeIf(put -> put.partition == partition && put.key.equals(key));
        long nowNanos = clock.nanoTime();
        puts.removeIf(put -> config.isTooOld(put.addedAtNanos, nowNanos));
        puts.add(new Put(partition, key, digest, nowNanos, outcome));
        for (int number = 0; number < partitions; number++) {
            int of = number;
            List<Put> ofPartition =
                    puts.stream().filter(put -> put.partition == of).toList();
            if (ofPartition.size() > config.maxPerPartition()) {
                puts.remove(ofPartition.get(0));
            }
        }
        if (puts.size() > config.maxTotal()) {
            puts.remove(0);
        }
    }

    private void forgetThoseThatFailed() {
        puts.removeIf(put -> put.outcome.isCompletedExceptionally());
    }

    void clear(int partition) {
        puts.removeIf(put -> put.partition == partition);
    }

    int count() {
        forgetThoseThatFailed();
        return puts.size();
    }

    void check(int partition, RecentPuts real, Fingerprint key, long digest) {
        forgetThoseThatFailed();
        List<Put> ofPartition =
                puts.stream().filter(put -> put.partition == partition).toList();
        assertThat(real.size()).isEqualTo(ofPartition.size());
        RecentPuts.Match match = real.find(key, digest);
        List<Put> known =
                ofPartition.stream().filter(put -> put.key.equals(key)).toList();
        if (known.isEmpty()) {
            assertThat(match.known()).isEqualTo(Known.NEW);
        } else if (known.get(0).digest != digest) {
            assertThat(match.known()).isEqualTo(Known.OTHER_MESSAGES);
        } else {
            assertThat(match.known()).isEqualTo(Known.REPEAT);
            assertThat(match.outcome().getNow(null))
                    .isEqualTo(known.get(0).outcome.getNow(null));
        }
    }
}
