package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(20)
final class KeyedThreadPoolTest {

    private final ManualTimer timer = new ManualTimer();
    private final List<KeyedThreadPool<String>> pools = new ArrayList<>();

    @AfterEach
    void poolsEnd() throws InterruptedException {
        for (KeyedThreadPool<String> pool : pools) {
            pool.drain(Deadline.at(timer.nanoTime()));
        }
    }

    @Test
    void secondTaskOfKeyWaitsForFirst() throws Exception {
        KeyedExecutor<String> executor = pool(2, 100, 100);
        Gate first = new Gate();
        AtomicInteger stamps = new AtomicInteger();
        CompletableFuture<Integer> a = executor.submit("orders-0", Priority.NORMAL, Deadline.NONE, () -> {
            first.pass();
            return stamps.incrementAndGet();
        });
        first.reached();
        CompletableFuture<Integer> b =
                executor.submit("orders-0", Priority.CONTROL, Deadline.NONE, stamps::incrementAndGet);

        assertThat(executor.submit("orders-1", Priority.NORMAL, Deadline.NONE, () -> "free")
                        .get())
                .isEqualTo("free");
        assertThat(b).isNotDone();

        first.open();
        assertThat(a.get()).isEqualTo(1);
        assertThat(b.get()).isEqualTo(2);
    }

    @Test
    void idleKeyGoesToTheLeastLoadedWorker() throws Exception {
        KeyedThreadPool<String> executor = pool(3, 100, 100);
        List<Gate> gates = IntStream.range(0, 3).mapToObj(i -> new Gate()).toList();
        List<CompletableFuture<String>> workers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Gate gate = gates.get(i);
            workers.add(executor.submit("key-" + i, Priority.NORMAL, Deadline.NONE, () -> {
                gate.pass();
                return Thread.currentThread().getName();
            }));
            gate.reached();
        }
        gates.get(1).open();
        assertThat(workers.get(1).get()).isEqualTo("test-1");
        // The worker reports the task as finished after it has completed the future.
        while (executor.load(1) > 0) {
            Thread.onSpinWait();
        }
        assertThat(executor.submit(
                                "another",
                                Priority.NORMAL,
                                Deadline.NONE,
                                () -> Thread.currentThread().getName())
                        .get())
                .isEqualTo("test-1");
        gates.forEach(Gate::open);
        assertThat(workers.get(0).get()).isEqualTo("test-0");
        assertThat(workers.get(2).get()).isEqualTo("test-2");
    }

    @Test
    void hashedKeyStaysOnItsWorkerWhateverTheLoad() throws Exception {
        KeyedThreadPool<String> executor =
                start(new KeyedThreadPoolConfig("test", 4, PlacementPolicy.HASH, QueueLimits.ofTasks(10, 10), 10));
        String worker = executor.submit(
                        "k",
                        Priority.NORMAL,
                        Deadline.NONE,
                        () -> Thread.currentThread().getName())
                .get();
        for (int i = 0; i < 20; i++) {
            executor.submit("other-" + i, Priority.NORMAL, Deadline.NONE, () -> "")
                    .get();
            assertThat(executor.submit(
                                    "k",
                                    Priority.NORMAL,
                                    Deadline.NONE,
                                    () -> Thread.currentThread().getName())
                            .get())
                    .isEqualTo(worker);
        }
    }

    @Test
    void expiredTaskIsAnsweredAtItsDeadlineAndNotRun() throws Exception {
        KeyedExecutor<String> executor = pool(1, 100, 100);
        Gate busy = new Gate();
        CompletableFuture<Void> running = executor.submit("a", Priority.NORMAL, Deadline.NONE, busy::pass);
        busy.reached();
        CompletableFuture<String> late = executor.submit("b", Priority.NORMAL, timer.inMs(50), () -> "ran");
        timer.advanceMs(49);
        assertThat(late).isNotDone();

        timer.advanceMs(2);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(late::get)
                .withCauseInstanceOf(TaskExpiredException.class);
        busy.open();
        running.get();
    }

    @Test
    void taskWithPassedDeadlineIsAbandonedAtSubmission() {
        KeyedExecutor<String> executor = pool(1, 100, 100);
        timer.advanceMs(10);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> executor.submit("a", Priority.NORMAL, Deadline.at(0), () -> "ran")
                        .get())
                .withCauseInstanceOf(TaskExpiredException.class);
        assertThat(timer.size()).isZero();
    }

    @Test
    void drainedPoolLeavesNothingInTheTimer() throws Exception {
        KeyedExecutor<String> executor = pool(1, 100, 100);
        assertThat(executor.submit("a", Priority.NORMAL, timer.inMs(1000), () -> "ran")
                        .get())
                .isEqualTo("ran");
        executor.drain(Deadline.NONE);
        assertThat(timer.size()).isZero();
    }

    @Test
    void fullKeyIsRefusedWhileOthersGoOn() throws Exception {
        KeyedExecutor<String> executor = pool(1, 2, 100);
        Gate busy = new Gate();
        executor.submit("a", Priority.NORMAL, Deadline.NONE, busy::pass);
        busy.reached();
        executor.submit("a", Priority.NORMAL, Deadline.NONE, () -> "");
        executor.submit("a", Priority.NORMAL, Deadline.NONE, () -> "");
        assertThatThrownBy(() -> executor.submit("a", Priority.NORMAL, Deadline.NONE, () -> ""))
                .isInstanceOfSatisfying(
                        TaskRejectedException.class,
                        e -> assertThat(e.reason()).isEqualTo(TaskRejectedException.Reason.KEY_FULL));
        CompletableFuture<String> other = executor.submit("b", Priority.NORMAL, Deadline.NONE, () -> "ran");
        busy.open();
        assertThat(other.get()).isEqualTo("ran");
    }

    @Test
    void fullExecutorIsRefusedAndLeavesNothingInTheTimer() throws Exception {
        KeyedExecutor<String> executor = pool(1, 10, 2);
        Gate busy = new Gate();
        executor.submit("a", Priority.NORMAL, Deadline.NONE, busy::pass);
        busy.reached();
        executor.submit("b", Priority.NORMAL, Deadline.NONE, () -> "");
        executor.submit("c", Priority.NORMAL, Deadline.NONE, () -> "");
        assertThatThrownBy(() -> executor.submit("d", Priority.NORMAL, timer.inMs(1000), () -> ""))
                .isInstanceOfSatisfying(
                        TaskRejectedException.class,
                        e -> assertThat(e.reason()).isEqualTo(TaskRejectedException.Reason.EXECUTOR_FULL));
        assertThat(timer.size()).isZero();
        busy.open();
    }

    @Test
    void failingTaskDoesNotEndItsWorker() throws Exception {
        KeyedThreadPool<String> executor = pool(1, 10, 10);
        executor.execute(new KeyedTask<>("a", Priority.NORMAL, Deadline.NONE) {
            @Override
            protected void run() {
                throw new AssertionError("a bug in a task");
            }

            @Override
            protected void abandoned(Exception reason) {}
        });
        assertThat(executor.submit("a", Priority.NORMAL, Deadline.NONE, () -> "ran")
                        .get())
                .isEqualTo("ran");
    }

    @Test
    void drainRunsWhatIsQueuedAndRefusesTheRest() throws Exception {
        KeyedThreadPool<String> executor = pool(2, 10, 10);
        Gate busy = new Gate();
        CompletableFuture<Void> running = executor.submit("a", Priority.NORMAL, Deadline.NONE, busy::pass);
        busy.reached();
        CompletableFuture<String> queued = executor.submit("a", Priority.NORMAL, Deadline.NONE, () -> "ran");
        CompletableFuture<Integer> drained = CompletableFuture.supplyAsync(() -> drain(executor, Deadline.NONE));
        awaitDraining(executor);
        busy.open();
        assertThat(drained.get()).isZero();
        assertThat(queued.get()).isEqualTo("ran");
        assertThat(running).isDone();
    }

    @Test
    void drainGivesUpAtItsDeadlineAndSaysHowManyTasks() throws Exception {
        KeyedThreadPool<String> executor = pool(1, 10, 10);
        Gate busy = new Gate();
        executor.submit("a", Priority.NORMAL, Deadline.NONE, busy::pass);
        busy.reached();
        CompletableFuture<String> queued = executor.submit("a", Priority.NORMAL, Deadline.NONE, () -> "ran");
        CompletableFuture<Integer> drained =
                CompletableFuture.supplyAsync(() -> drain(executor, Deadline.at(timer.nanoTime())));
        // The drain has given up then; before, the queued task could still run.
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(queued::get)
                .withCauseInstanceOf(TaskRejectedException.class);
        busy.open();
        assertThat(drained.get()).isEqualTo(1);
        assertThat(executor.drain(Deadline.NONE)).isEqualTo(1);
    }

    @Test
    void everyTaskOfEveryKeyRunsOnceAndInOrder() throws Exception {
        KeyedThreadPool<String> executor = pool(4, 1_000_000, 1_000_000);
        int keys = 50;
        int tasksPerKey = 400;
        List<List<Integer>> ran = new ArrayList<>();
        IntStream.range(0, keys).forEach(key -> ran.add(Collections.synchronizedList(new ArrayList<>())));
        List<CompletableFuture<Boolean>> done = new ArrayList<>();
        for (int task = 0; task < tasksPerKey; task++) {
            for (int key = 0; key < keys; key++) {
                int number = task;
                List<Integer> ranOfKey = ran.get(key);
                done.add(executor.submit("key-" + key, Priority.NORMAL, Deadline.NONE, () -> ranOfKey.add(number)));
            }
        }
        CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get();
        List<Integer> inOrder = IntStream.range(0, tasksPerKey).boxed().toList();
        assertThat(ran).allSatisfy(ranOfKey -> assertThat(ranOfKey).isEqualTo(inOrder));
    }

    private KeyedThreadPool<String> pool(int workers, int maxQueuedPerKey, int maxQueued) {
        return start(new KeyedThreadPoolConfig(
                "test", workers, PlacementPolicy.LEAST_LOADED, QueueLimits.ofTasks(maxQueuedPerKey, maxQueued), 10));
    }

    private KeyedThreadPool<String> start(KeyedThreadPoolConfig config) {
        KeyedThreadPool<String> pool =
                new KeyedThreadPool<String>(config, timer, timer, Runnable::run, ExecutorListener.NONE).start();
        pools.add(pool);
        return pool;
    }

    private static int drain(KeyedThreadPool<String> executor, Deadline deadline) {
        try {
            return executor.drain(deadline);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns once draining has begun in another thread. */
    private static void awaitDraining(KeyedThreadPool<String> executor) {
        while (!executor.isDraining()) {
            Thread.onSpinWait();
        }
    }
}
