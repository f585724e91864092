package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many submitters, workers and a real timer. The build runs it twice, once under the stress flags of the JIT; {@code
 * -Dstress.tasks} and {@code -Dstress.seed} for more.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
final class KeyedThreadPoolStressTest {

    private static final int SUBMITTERS = 4;
    private static final int KEYS = 50;
    private static final int TASKS = Integer.getInteger("stress.tasks", 50_000);
    private static final long SEED = Long.getLong("stress.seed", 1);

    private final AtomicInteger ran = new AtomicInteger();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicIntegerArray runningOfKey = new AtomicIntegerArray(KEYS);
    private final long[][] lastOfSubmitter = new long[KEYS][SUBMITTERS];
    /** What the pool has last read of the clock in this thread. */
    private final ThreadLocal<Long> lastRead = new ThreadLocal<>();

    private final AtomicLong endedTwice = new AtomicLong();
    private final List<String> violations = new ArrayList<>();
    private final CountDownLatch ended = new CountDownLatch(SUBMITTERS * TASKS);

    private final class Checked extends KeyedTask<Integer> {
        private final int submitter;
        private final long number;
        private final long deadlineAtNanos;
        private final AtomicInteger ends = new AtomicInteger();

        Checked(int key, Priority priority, Deadline deadline, int submitter, long number) {
            super(key, priority, deadline, 10);
            this.submitter = submitter;
            this.number = number;
            this.deadlineAtNanos = deadline.isSet() ? deadline.atNanos() : Long.MAX_VALUE;
        }

        @Override
        protected void run() {
            violation(runningOfKey.incrementAndGet(key) == 1, "two tasks of a key at the same time");
            // Later than the pool's last look at the clock, this thread may have been suspended.
            violation(
                    deadlineAtNanos == Long.MAX_VALUE || lastRead.get() - deadlineAtNanos < 0,
                    "ran after its deadline");
            // Not volatile: the effects of a task must be visible to the next of its key.
            violation(lastOfSubmitter[key][submitter] < number, "tasks of a key out of order");
            lastOfSubmitter[key][submitter] = number;
            runningOfKey.decrementAndGet(key);
            ran.incrementAndGet();
            end();
        }

        @Override
        protected void abandoned(Exception reason) {
            violation(reason instanceof TaskExpiredException, "abandoned for another reason: " + reason);
            abandoned.incrementAndGet();
            end();
        }

        void end() {
            endedTwice.addAndGet(ends.incrementAndGet() - 1);
            ended.countDown();
        }
    }

    private long readClock() {
        long nowNanos = System.nanoTime();
        lastRead.set(nowNanos);
        return nowNanos;
    }

    private void violation(boolean holds, String what) {
        if (!holds) {
            synchronized (violations) {
                violations.add(what);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"least-loaded", "hash"})
    void everyTaskEndsOnceInOrderAndInTime(String policy) throws Exception {
        PlacementPolicy placement = policy.equals("hash") ? PlacementPolicy.HASH : PlacementPolicy.LEAST_LOADED;
        QueueLimits.Limit perKey = new QueueLimits.Limit(100, 900);
        QueueLimits limits = new QueueLimits(perKey, QueueLimits.Limit.NONE, new QueueLimits.Limit(500, 4_500));
        try (WheelTimer timer = new WheelTimer("timer", System::nanoTime).start()) {
            KeyedThreadPool<Integer> pool = new KeyedThreadPool<Integer>(
                            new KeyedThreadPoolConfig("stress", 4, placement, limits, 5),
                            this::readClock,
                            timer,
                            Runnable::run,
                            ExecutorListener.NONE)
                    .start();
            List<Thread> submitters = new ArrayList<>();
            for (int index = 0; index < SUBMITTERS; index++) {
                int submitter = index;
                Thread thread = new Thread(() -> submit(pool, submitter));
                submitters.add(thread);
                thread.start();
            }
            for (Thread thread : submitters) {
                thread.join();
            }
            assertThat(ended.await(120, TimeUnit.SECONDS))
                    .as("every task ends, seed %d", SEED)
                    .isTrue();
            assertThat(pool.drain(Deadline.at(System.nanoTime()))).isZero();
            assertThat(pool.queued() + pool.running()).isZero();
            assertThat(pool.queuedBytes()).isZero();
        }
        assertThat(violations).as("seed %d", SEED).isEmpty();
        assertThat(endedTwice.get()).isZero();
        assertThat(ran.get() + abandoned.get() + refused.get()).isEqualTo(SUBMITTERS * TASKS);
        // How many of them depends on the machine.
        assertThat(ran.get()).isPositive();
    }

    private void submit(KeyedThreadPool<Integer> pool, int submitter) {
        Random random = new Random(SEED * 31 + submitter);
        Priority[] priorities = Priority.values();
        for (long number = 1; number <= TASKS; number++) {
            // Close to the bounds, so that some are refused and most are not.
            while (pool.queued() > 450) {
                Thread.onSpinWait();
            }
            Deadline deadline =
                    random.nextInt(4) == 0 ? Deadline.at(System.nanoTime() + random.nextInt(2_000_000)) : Deadline.NONE;
            Checked task = new Checked(
                    random.nextInt(KEYS), priorities[random.nextInt(priorities.length)], deadline, submitter, number);
            try {
                if (random.nextBoolean()) {
                    pool.execute(task);
                } else {
                    pool.runOrQueue(task);
                }
            } catch (TaskRejectedException e) {
                refused.incrementAndGet();
                task.end();
            }
        }
    }
}
