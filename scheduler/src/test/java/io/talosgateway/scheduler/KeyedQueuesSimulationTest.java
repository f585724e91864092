package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Drives the model with seeded random operations and checks its invariants and promises after each. */
final class KeyedQueuesSimulationTest {

    private static final int WORKERS = 4;
    private static final int MAX_BYPASSES = 3;
    private static final List<Priority> PRIORITIES = List.of(Priority.values());

    static List<Long> seeds() {
        // -Dsimulation.seeds=N for more, -Dsimulation.first-seed=S to replay one.
        long first = Long.getLong("simulation.first-seed", 1);
        List<Long> seeds = new ArrayList<>();
        for (long seed = first; seed < first + Long.getLong("simulation.seeds", 200); seed++) {
            seeds.add(seed);
        }
        return seeds;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void promisesHoldAfterEveryStep(long seed) {
        Random random = new Random(seed);
        PlacementPolicy policy = random.nextBoolean() ? PlacementPolicy.LEAST_LOADED : PlacementPolicy.HASH;
        KeyedQueues<String> queues = new KeyedQueues<>(WORKERS, policy, 5, 40, MAX_BYPASSES);
        Map<String, List<SimulatedTask>> queued = new HashMap<>();
        List<@Nullable SimulatedTask> running = new ArrayList<>(java.util.Collections.nCopies(WORKERS, null));
        Set<SimulatedTask> ended = new HashSet<>();
        int submitted = 0;
        for (int step = 0; step < 500; step++) {
            int choice = random.nextInt(10);
            int worker = random.nextInt(WORKERS);
            SimulatedTask current = running.get(worker);
            if (choice < 5) {
                SimulatedTask task = new SimulatedTask(
                        "key-" + random.nextInt(12), PRIORITIES.get(random.nextInt(PRIORITIES.size())));
                List<SimulatedTask> ofKey = queued.computeIfAbsent(task.key, key -> new ArrayList<>());
                int total = queued.values().stream().mapToInt(List::size).sum();
                try {
                    queues.add(task);
                    ofKey.add(task);
                    submitted++;
                    assertThat(ofKey.size()).isLessThanOrEqualTo(5);
                    assertThat(total).isLessThan(40);
                } catch (TaskRejectedException e) {
                    assertThat(ofKey.size() == 5 || total == 40).isTrue();
                }
            } else if (choice < 8) {
                if (current != null) {
                    running.set(worker, null);
                    assertThat(ended.add(current)).isTrue();
                    queues.finished(current.key);
                }
                SimulatedTask next = (SimulatedTask) queues.next(worker);
                if (next != null) {
                    assertThat(running)
                            .as("one worker a key")
                            .noneMatch(other -> other != null && other.key.equals(next.key));
                    assertThat(queued.get(next.key)).isNotEmpty();
                    assertThat(queued.get(next.key).remove(0))
                            .as("order within a key")
                            .isSameAs(next);
                    running.set(worker, next);
                }
            } else {
                List<SimulatedTask> all =
                        queued.values().stream().flatMap(List::stream).toList();
                if (!all.isEmpty()) {
                    SimulatedTask victim = all.get(random.nextInt(all.size()));
                    assertThat(queues.remove(victim)).isTrue();
                    assertThat(queues.remove(victim)).as("a task ends once").isFalse();
                    assertThat(queued.get(victim.key)).isNotNull();
                    queued.get(victim.key).remove(victim);
                    assertThat(ended.add(victim)).isTrue();
                }
            }
            queues.checkInvariants();
        }
        int left = queues.removeAll().size();
        long stillRunning = running.stream().filter(task -> task != null).count();
        assertThat(ended.size() + left + stillRunning).isEqualTo(submitted);
    }

    private static final class SimulatedTask extends KeyedTask<String> {
        SimulatedTask(String key, Priority priority) {
            super(key, priority, Deadline.NONE);
        }

        @Override
        protected void run() {}

        @Override
        protected void abandoned(Exception reason) {}
    }
}
