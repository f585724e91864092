package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drives the model with seeded random operations and checks its invariants and promises after each, against a book of its
 * own. {@code -Dsimulation.seeds=N} for more, {@code -Dsimulation.first-seed=S} to replay one.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class KeyedQueuesSimulationTest {

    private static final int STEPS = 500;
    private static final int KEYS = 12;
    private static final int WORKERS = 4;
    private static final int MAX_BYPASSES = 3;
    private static final long MS = 1_000_000;
    private static final List<Priority> PRIORITIES = List.of(Priority.values());
    private static final QueueLimits.Limit PER_KEY = new QueueLimits.Limit(5, 60);
    private static final QueueLimits.Limit PER_WORKER = new QueueLimits.Limit(12, 160);
    private static final QueueLimits.Limit TOTAL = new QueueLimits.Limit(30, 400);

    static LongStream seeds() {
        long first = Long.getLong("simulation.first-seed", 1);
        return LongStream.range(first, first + Long.getLong("simulation.seeds", 200));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void promisesHoldAfterEveryStep(long seed) {
        Simulation simulation = new Simulation(new Random(seed));
        for (int step = 0; step < STEPS; step++) {
            simulation.step();
        }
        simulation.end();
    }

    private static final class SimulatedTask extends KeyedTask<String> {
        final int worker;

        SimulatedTask(String key, Priority priority, Deadline deadline, int bytes, int worker) {
            super(key, priority, deadline, bytes);
            this.worker = worker;
        }

        @Override
        protected void run() {}

        @Override
        protected void abandoned(Exception reason) {}
    }

    private static final class Signals implements KeyedQueues.Signals {
        final boolean[] woken = new boolean[WORKERS];
        final Deadline[] expiryAt =
                Stream.generate(() -> Deadline.NONE).limit(WORKERS).toArray(Deadline[]::new);

        @Override
        public void wakeUp(int worker) {
            assertThat(woken[worker]).as("woken up once").isFalse();
            woken[worker] = true;
        }

        @Override
        public void expireAt(int worker, Deadline deadline) {
            expiryAt[worker] = deadline;
        }
    }

    private static final class Simulation {

        private final Random random;
        private final PlacementPolicy policy;
        private final KeyedQueues<String> queues;
        private final Signals signals = new Signals();
        private long nowNanos;

        // The book.
        private final Map<String, List<SimulatedTask>> queued = new HashMap<>();
        private final Map<String, Integer> workers = new HashMap<>();
        private final Map<String, Integer> passedOver = new HashMap<>();
        private final @Nullable SimulatedTask[] running = new SimulatedTask[WORKERS];
        private final boolean[] isWaiting = new boolean[WORKERS];
        private final boolean[] isLent = new boolean[WORKERS];
        private int accepted;
        private int ended;

        Simulation(Random random) {
            this.random = random;
            this.policy = random.nextBoolean() ? PlacementPolicy.LEAST_LOADED : PlacementPolicy.HASH;
            this.queues = new KeyedQueues<>(
                    WORKERS, policy, new QueueLimits(PER_KEY, PER_WORKER, TOTAL), MAX_BYPASSES, nowNanos, signals);
        }

        void step() {
            switch (random.nextInt(12)) {
                case 0, 1, 2, 3, 4 -> submit();
                case 5, 6, 7 -> turnOf(random.nextInt(WORKERS));
                case 8 -> borrow();
                case 9 -> giveBack(random.nextInt(WORKERS));
                default -> timePasses();
            }
            queues.checkInvariants();
        }

        private void submit() {
            String key = "key-" + random.nextInt(KEYS);
            int expectedWorker =
                    isBusy(key) ? Objects.requireNonNull(workers.get(key)) : policy.workerFor(key, loads());
            Deadline deadline =
                    random.nextBoolean() ? Deadline.NONE : Deadline.at(nowNanos + random.nextInt(20_000_000));
            SimulatedTask task = new SimulatedTask(
                    key,
                    PRIORITIES.get(random.nextInt(PRIORITIES.size())),
                    deadline,
                    random.nextInt(30),
                    expectedWorker);
            boolean fits = fits(PER_KEY, queuedOf(key), task)
                    && fits(PER_WORKER, queuedAt(expectedWorker).toList(), task)
                    && fits(TOTAL, allQueued().toList(), task);
            try {
                assertThat(queues.add(task, nowNanos)).as("its worker").isEqualTo(expectedWorker);
                assertThat(fits).as("within the bounds").isTrue();
                assertThat(signals.woken[expectedWorker])
                        .as("a worker that waits is woken up")
                        .isEqualTo(isWaiting[expectedWorker] && !isLent[expectedWorker]);
                accepted++;
                queuedOf(key).add(task);
                workers.put(key, expectedWorker);
            } catch (TaskRejectedException e) {
                boolean tooLate = e.reason() == TaskRejectedException.Reason.TOO_LATE;
                assertThat(tooLate ? deadline.isSet() : !fits)
                        .as("a reason to refuse: %s", e.reason())
                        .isTrue();
            }
        }

        private static boolean fits(QueueLimits.Limit limit, Collection<SimulatedTask> waiting, SimulatedTask task) {
            long bytes = waiting.stream().mapToLong(other -> other.bytes).sum();
            return waiting.size() < limit.tasks() && (waiting.isEmpty() || bytes + task.bytes <= limit.bytes());
        }

        /** A task that its submitter runs, if a worker has nothing to do. */
        private void borrow() {
            String key = "key-" + random.nextInt(KEYS);
            int expectedWorker = policy.workerFor(key, loads());
            boolean isFree = !isBusy(key)
                    && isWaiting[expectedWorker]
                    && !signals.woken[expectedWorker]
                    && !isLent[expectedWorker];
            int worker = queues.lend(key);
            assertThat(worker).as("the worker that is lent").isEqualTo(isFree ? expectedWorker : KeyedQueues.NO_WORKER);
            if (isFree) {
                isLent[worker] = true;
                workers.put(key, worker);
                running[worker] = new SimulatedTask(key, Priority.NORMAL, Deadline.NONE, 0, worker);
                accepted++;
            }
        }

        private void giveBack(int worker) {
            if (isLent[worker]) {
                isLent[worker] = false;
                running[worker] = null;
                ended++;
                queues.giveBack(worker, random.nextInt(3_000_000));
                assertThat(signals.woken[worker])
                        .as("a worker is woken up for what has come meanwhile")
                        .isEqualTo(queuedAt(worker).findAny().isPresent());
            }
        }

        private void turnOf(int worker) {
            if (isLent[worker]) {
                assertThat(queues.next(worker, KeyedQueues.NOT_RUN))
                        .as("for a worker that is lent, and wakes up for no reason")
                        .isNull();
                return;
            }
            long runNanos = KeyedQueues.NOT_RUN;
            if (running[worker] != null) {
                running[worker] = null;
                ended++;
                runNanos = random.nextInt(4) == 0 ? random.nextInt(3_000_000) : runNanos;
            }
            Map<Priority, SimulatedTask> firsts = firstsAt(worker);
            SimulatedTask next = (SimulatedTask) queues.next(worker, runNanos);
            signals.woken[worker] = false;
            isWaiting[worker] = next == null;
            if (next == null) {
                assertThat(firsts)
                        .as("a worker idles only if it has nothing to do")
                        .isEmpty();
                return;
            }
            assertThat(next.deadline.hasPassed(nowNanos - MS))
                    .as("runs after expiry, which the pool sees within a tick")
                    .isFalse();
            assertThat(firsts.get(next.priority))
                    .as("the oldest of its priority")
                    .isSameAs(next);
            firsts.forEach((priority, first) -> {
                if (priority.compareTo(next.priority) > 0) {
                    assertThat(passedOver.merge(first.key, 1, Integer::sum))
                            .as("times that %s is passed over", first.key)
                            .isLessThanOrEqualTo(MAX_BYPASSES);
                }
            });
            passedOver.remove(next.key);
            queuedOf(next.key).remove(0);
            running[worker] = next;
        }

        /** Of each priority, the oldest task that the worker could run next. */
        private Map<Priority, SimulatedTask> firstsAt(int worker) {
            Map<Priority, SimulatedTask> firsts = new HashMap<>();
            queued.forEach((key, tasks) -> {
                if (!tasks.isEmpty() && tasks.get(0).worker == worker && !isRunning(key)) {
                    firsts.merge(tasks.get(0).priority, tasks.get(0), (a, b) -> a.sequence < b.sequence ? a : b);
                }
            });
            return firsts;
        }

        private void timePasses() {
            nowNanos += random.nextInt(4) == 0 ? 10_000 * MS : random.nextInt(5_000_000);
            for (int worker = 0; worker < WORKERS; worker++) {
                if (signals.expiryAt[worker].hasPassed(nowNanos)) {
                    queues.removeExpired(worker, nowNanos).forEach(task -> endQueued((SimulatedTask) task));
                }
            }
            assertThat(allQueued())
                    .as("expired within a tick")
                    .noneMatch(task -> task.deadline.hasPassed(nowNanos - MS));
        }

        private void endQueued(SimulatedTask task) {
            assertThat(task.deadline.hasPassed(nowNanos))
                    .as("not before its time")
                    .isTrue();
            ended++;
            assertThat(queuedOf(task.key).remove(task)).isTrue();
            if (!isBusy(task.key)) {
                passedOver.remove(task.key);
            }
        }

        void end() {
            int left = queues.removeAll().size();
            queues.checkInvariants();
            long stillRunning = Stream.of(running).filter(Objects::nonNull).count();
            assertThat(ended + left + stillRunning).as("every task ends once").isEqualTo(accepted);
        }

        private List<SimulatedTask> queuedOf(String key) {
            return queued.computeIfAbsent(key, absent -> new ArrayList<>());
        }

        private Stream<SimulatedTask> allQueued() {
            return queued.values().stream().flatMap(List::stream);
        }

        private Stream<SimulatedTask> queuedAt(int worker) {
            return allQueued().filter(task -> task.worker == worker);
        }

        private boolean isRunning(String key) {
            return Stream.of(running).anyMatch(task -> task != null && task.key.equals(key));
        }

        private boolean isBusy(String key) {
            return isRunning(key) || !queuedOf(key).isEmpty();
        }

        private PlacementPolicy.Loads loads() {
            return new PlacementPolicy.Loads() {
                @Override
                public int workers() {
                    return WORKERS;
                }

                @Override
                public int load(int worker) {
                    return (int) queuedAt(worker).count() + (running[worker] == null ? 0 : 1);
                }
            };
        }
    }
}
