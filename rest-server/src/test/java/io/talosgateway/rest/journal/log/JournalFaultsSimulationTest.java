package io.talosgateway.rest.journal.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.FaultyStorage;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.lane.AppendResult;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Puts, failing writes and syncs, lost replies, crashes that lose what was not synced and proper restarts, in the order
 * that a seed gives. After every restart: each acknowledged put is at its offset, once and unchanged; offsets are dense;
 * nothing is there that was answered as not stored.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class JournalFaultsSimulationTest {

    private static final int PARTITIONS = 5;

    static List<Long> seeds() {
        long first = Long.getLong("simulation.first-seed", 1);
        List<Long> seeds = new ArrayList<>();
        for (long seed = first; seed < first + Long.getLong("simulation.seeds", 20); seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    private record Put(int partition, String payload, CompletableFuture<AppendResult> outcome) {}

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void acknowledgedPutsAreStoredOnceWhateverFails(long seed) throws Exception {
        Random random = new Random(seed);
        JournalLayout layout = seed % 4 == 0 ? JournalLayout.FILE_PER_PARTITION : JournalLayout.SHARED_LANES;
        InMemoryJournalStorage memory = new InMemoryJournalStorage();
        List<Map<Long, String>> acknowledged = new ArrayList<>();
        Set<String> refused = new HashSet<>();
        for (int i = 0; i < PARTITIONS; i++) {
            acknowledged.add(new HashMap<>());
        }
        try (JournalFixture fixture = new JournalFixture(
                memory, JournalFixture.config(layout, DataSize.ofKiB(64), DataSize.ofKiB(8)), Duration.ofDays(1))) {
            fixture.open(0, 1, 2, 3, 4);
            int number = 0;
            for (int life = 0; life < 8; life++) {
                List<Put> puts = new ArrayList<>();
                int count = random.nextInt(60);
                for (int i = 0; i < count; i++) {
                    injectFault(random, fixture.storage);
                    int partition = random.nextInt(PARTITIONS);
                    String payload = "put " + number++ + "x".repeat(random.nextInt(4000));
                    try {
                        puts.add(new Put(partition, payload, fixture.putAsync(partition, payload)));
                    } catch (GatewayException e) {
                        refused.add(payload);
                    }
                    if (random.nextInt(4) == 0) {
                        awaitEnd(puts.get(puts.size() - 1));
                    }
                }
                if (random.nextBoolean()) {
                    puts.forEach(JournalFaultsSimulationTest::awaitEnd);
                    record(puts, acknowledged, refused);
                    fixture.storage.heal();
                    fixture.restart();
                } else {
                    // Whoever has an answer now has it for good; the rest may be stored or not.
                    memory.crash();
                    record(puts, acknowledged, refused);
                    fixture.storage.heal();
                    fixture.crash();
                }
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    check(fixture, partition, acknowledged.get(partition), refused);
                }
            }
        }
    }

    private static void injectFault(Random random, FaultyStorage storage) {
        switch (random.nextInt(20)) {
            case 0 -> storage.syncsToFail.set(1 + random.nextInt(2));
            case 1 -> storage.syncRepliesToLose.set(1 + random.nextInt(2));
            case 2 -> storage.writesToFail.set(1 + random.nextInt(3));
            case 3 -> storage.createsToFail.set(random.nextInt(3));
            case 4 -> storage.undosToFail.set(random.nextInt(3));
            default -> {}
        }
    }

    private static void awaitEnd(Put put) {
        put.outcome
                .handle((result, failure) -> "ended")
                .orTimeout(2, TimeUnit.MINUTES)
                .join();
    }

    private static void record(List<Put> puts, List<Map<Long, String>> acknowledged, Set<String> refused) {
        for (Put put : puts) {
            if (put.outcome.isDone()) {
                put.outcome.handle((result, failure) -> {
                    if (result != null) {
                        assertThat(acknowledged.get(put.partition).put(result.firstOffset(), put.payload))
                                .isNull();
                    } else if (failure instanceof GatewayException e && e.code() != ErrorCode.OUTCOME_UNKNOWN) {
                        refused.add(put.payload);
                    }
                    return null;
                });
            }
        }
    }

    private static void check(
            JournalFixture fixture, int partition, Map<Long, String> acknowledged, Set<String> refused) {
        Map<Long, String> stored = new HashMap<>();
        Set<String> payloads = new HashSet<>();
        for (String message : fixture.readAll(partition)) {
            int colon = message.indexOf(':');
            stored.put(Long.parseLong(message.substring(0, colon)), message.substring(colon + 1));
            assertThat(payloads.add(message.substring(colon + 1)))
                    .as("stored once")
                    .isTrue();
        }
        assertThat(stored.keySet()).hasSize((int) fixture.log(partition).durableOffset());
        assertThat(stored).containsAllEntriesOf(acknowledged);
        assertThat(payloads).filteredOn(refused::contains).isEmpty();
        // What is stored now stays, acknowledged or not: readers have seen it.
        acknowledged.putAll(stored);
    }
}
