package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

/**
 * Submission, expiry, two workers and two that borrow them at the same time: every outcome is one that some order of them gives, by the rules as
 * {@link SequentialPool} has them.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS)
public class KeyedThreadPoolLincheckTest {

    private static final DeadlineTimer NO_TIMER = new DeadlineTimer() {
        @Override
        public void schedule(io.talosgateway.scheduler.Timeout timeout, Deadline deadline) {}

        @Override
        public boolean cancel(io.talosgateway.scheduler.Timeout timeout) {
            return true;
        }
    };

    private final KeyedThreadPool<Integer> pool = new KeyedThreadPool<>(
            new KeyedThreadPoolConfig(
                    "lincheck",
                    SequentialPool.WORKERS,
                    SequentialPool.PLACEMENT,
                    QueueLimits.ofTasks(SequentialPool.MAX_OF_KEY, SequentialPool.MAX_TOTAL),
                    SequentialPool.MAX_BYPASSES),
            () -> 0,
            NO_TIMER,
            Runnable::run,
            ExecutorListener.NONE);
    private final Numbered[] tasks = new Numbered[SequentialPool.TASKS];
    /** By worker; each for its borrower. */
    private final boolean[] isLent = new boolean[SequentialPool.WORKERS];
    /** Of this thread's last call. */
    private final ThreadLocal<List<Integer>> expired = ThreadLocal.withInitial(ArrayList::new);

    public KeyedThreadPoolLincheckTest() {
        for (int number = 0; number < SequentialPool.TASKS; number++) {
            tasks[number] = new Numbered(number);
        }
    }

    private final class Numbered extends KeyedTask<Integer> {
        private final int number;

        Numbered(int number) {
            super(SequentialPool.keyOf(number), SequentialPool.priorityOf(number), Deadline.at(1));
            this.number = number;
        }

        @Override
        protected void run() {}

        @Override
        protected void abandoned(Exception reason) {
            expired.get().add(number);
        }
    }

    @Operation(runOnce = true)
    public String submit0() {
        return submit(0);
    }

    @Operation(runOnce = true)
    public String submit1() {
        return submit(1);
    }

    @Operation(runOnce = true)
    public String submit2() {
        return submit(2);
    }

    @Operation(runOnce = true)
    public String submit3() {
        return submit(3);
    }

    @Operation(runOnce = true)
    public String submit4() {
        return submit(4);
    }

    @Operation(runOnce = true)
    public String submit5() {
        return submit(5);
    }

    private String submit(int number) {
        try {
            pool.execute(tasks[number]);
            return "taken";
        } catch (TaskRejectedException e) {
            return e.reason().name();
        }
    }

    /** The timer calls back, after the deadlines of all tasks. */
    @Operation
    public List<Integer> expire0() {
        return expire(0);
    }

    @Operation
    public List<Integer> expire1() {
        return expire(1);
    }

    private List<Integer> expire(int worker) {
        expired.get().clear();
        pool.expire(worker, 1_000_000);
        Collections.sort(expired.get());
        return List.copyOf(expired.get());
    }

    @Operation(nonParallelGroup = "worker 0")
    public @Nullable Integer next0() {
        return next(0);
    }

    @Operation(nonParallelGroup = "worker 1")
    public @Nullable Integer next1() {
        return next(1);
    }

    private @Nullable Integer next(int worker) {
        Numbered task = (Numbered) pool.poll(worker, 0);
        return task == null ? null : task.number;
    }

    /** A submitter runs a task of this key in place of the worker that it is bound to. */
    @Operation(nonParallelGroup = "borrower of worker 0")
    public boolean lendForKey0() {
        return lend(0);
    }

    @Operation(nonParallelGroup = "borrower of worker 1")
    public boolean lendForKey1() {
        return lend(1);
    }

    @Operation(nonParallelGroup = "borrower of worker 0")
    public boolean lendForKey2() {
        return lend(2);
    }

    private boolean lend(int key) {
        int worker = pool.queues.lend(key);
        boolean lent = worker != KeyedQueues.NO_WORKER;
        if (lent) {
            isLent[worker] = true;
        }
        return lent;
    }

    @Operation(nonParallelGroup = "borrower of worker 0")
    public void giveBack0() {
        giveBack(0);
    }

    @Operation(nonParallelGroup = "borrower of worker 1")
    public void giveBack1() {
        giveBack(1);
    }

    private void giveBack(int worker) {
        if (isLent[worker]) {
            isLent[worker] = false;
            pool.queues.giveBack(worker, 0);
        }
    }

    @Test
    void everyInterleavingIsLikeSomeOrder() {
        new ModelCheckingOptions()
                // No list is changed by two threads; looking into them would take most of the time.
                .addGuarantee(forClasses("java.util.ArrayList", "java.util.Collections", "java.util.List")
                        .allMethods()
                        .ignore())
                .threads(3)
                .sequentialSpecification(SequentialPool.class)
                .iterations(Integer.getInteger("lincheck.iterations", 3))
                .invocationsPerIteration(Integer.getInteger("lincheck.invocations", 500))
                .check(KeyedThreadPoolLincheckTest.class);
    }

    @Test
    void everyRaceOnRealThreadsIsLikeSomeOrder() {
        new StressOptions()
                .threads(3)
                .sequentialSpecification(SequentialPool.class)
                .iterations(Integer.getInteger("lincheck.iterations", 3))
                .invocationsPerIteration(Integer.getInteger("lincheck.invocations", 500))
                .check(KeyedThreadPoolLincheckTest.class);
    }
}
