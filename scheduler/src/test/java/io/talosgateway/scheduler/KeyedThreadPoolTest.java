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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    /** Notes who runs it, and does what the test wants. */
    private static final class Noted extends KeyedTask<String> {
        private final List<String> notes;
        private final String note;
        private final Runnable work;

        Noted(String key, Priority priority, Deadline deadline, List<String> notes, String note, Runnable work) {
            super(key, priority, deadline);
            this.notes = notes;
            this.note = note;
            this.work = work;
        }

        @Override
        protected void run() {
            notes.add(note + " on " + Thread.currentThread().getName());
            work.run();
        }

        @Override
        protected void abandoned(Exception reason) {
            notes.add(note + " expired");
        }
    }

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());

    private Noted noted(String key, String note, Runnable work) {
        return new Noted(key, Priority.NORMAL, Deadline.NONE, notes, note, work);
    }

    private Noted noted(String key, String note) {
        return noted(key, note, () -> {});
    }

    /** Waits until all workers have found nothing to do: only then are they lent. */
    private static void awaitIdle(KeyedThreadPool<String> pool, int workers) {
        for (int worker = 0; worker < workers; worker++) {
            while (pool.queues.lend("nobody's " + worker) == KeyedQueues.NO_WORKER) {
                Thread.onSpinWait();
            }
        }
        for (int worker = 0; worker < workers; worker++) {
            pool.queues.giveBack(worker, 0);
        }
    }

    private static String here() {
        return Thread.currentThread().getName();
    }

    @Test
    void taskOfIdleKeyRunsOnTheCallerInPlaceOfAWorkerWithoutWork() {
        KeyedThreadPool<String> pool = pool(2, 100, 100);
        awaitIdle(pool, 2);

        pool.runOrQueue(noted("a", "1", () -> {
            assertThat(pool.running()).isEqualTo(1);
            assertThat(pool.load(0)).isEqualTo(1);
        }));

        assertThat(notes).containsExactly("1 on " + here());
        assertThat(pool.running()).isZero();
        assertThat(pool.load(0)).isZero();
    }

    @Test
    void tasksThatComeWhileTheCallerRunsOneFollowInOrder() throws Exception {
        KeyedThreadPool<String> pool = pool(1, 100, 100);
        awaitIdle(pool, 1);

        pool.runOrQueue(noted("a", "1", () -> {
            pool.runOrQueue(noted("a", "2"));
            pool.runOrQueue(noted("b", "3"));
            pool.runOrQueue(noted("a", "4"));
            notes.add("1 ends");
        }));
        pool.submit("c", Priority.NORMAL, Deadline.NONE, () -> "").get();

        assertThat(notes).containsExactly("1 on " + here(), "1 ends", "2 on test-0", "3 on test-0", "4 on test-0");
    }

    /** Whoever comes again and again overtakes none that waits. */
    @Test
    void callersDoNotStarveWhatWaits() throws Exception {
        KeyedThreadPool<String> pool = pool(1, 100, 100);
        awaitIdle(pool, 1);
        Gate waiting = new Gate();

        pool.runOrQueue(noted(
                "a",
                "1",
                () -> pool.execute(noted("b", "2", () -> {
                    try {
                        waiting.pass();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }))));
        pool.runOrQueue(noted("a", "3"));
        pool.runOrQueue(noted("a", "4"));
        waiting.open();
        pool.submit("a", Priority.NORMAL, Deadline.NONE, () -> "").get();

        assertThat(notes).containsExactly("1 on " + here(), "2 on test-0", "3 on test-0", "4 on test-0");
    }

    @Test
    void priorityAndExpiryHoldForWhatWaitsForTheCaller() throws Exception {
        KeyedThreadPool<String> pool = pool(1, 100, 100);
        awaitIdle(pool, 1);

        pool.runOrQueue(noted("a", "1", () -> {
            pool.runOrQueue(noted("b", "2"));
            pool.runOrQueue(new Noted("c", Priority.CONTROL, Deadline.NONE, notes, "3", () -> {}));
            pool.runOrQueue(new Noted("d", Priority.CONTROL, timer.inMs(10), notes, "4", () -> {}));
            timer.advanceMs(20);
        }));
        pool.submit("b", Priority.NORMAL, Deadline.NONE, () -> "").get();

        assertThat(notes).containsExactly("1 on " + here(), "4 expired", "3 on test-0", "2 on test-0");
    }

    @Test
    void taskThatExpiredDoesNotRunOnTheCaller() {
        KeyedThreadPool<String> pool = pool(1, 100, 100);
        awaitIdle(pool, 1);
        timer.advanceMs(10);

        pool.runOrQueue(new Noted("a", Priority.NORMAL, Deadline.at(0), notes, "1", () -> {}));

        assertThat(notes).containsExactly("1 expired");
    }

    @Test
    void failureOnTheCallerIsNotTheCallers() {
        KeyedThreadPool<String> pool = pool(1, 100, 100);
        awaitIdle(pool, 1);

        pool.runOrQueue(noted("a", "1", () -> {
            throw new IllegalStateException("on purpose");
        }));
        pool.runOrQueue(noted("a", "2"));

        assertThat(notes).containsExactly("1 on " + here(), "2 on " + here());
    }

    @Test
    void drainWaitsForATaskOnTheCaller() throws Exception {
        KeyedThreadPool<String> pool = pool(1, 100, 100);
        awaitIdle(pool, 1);
        Gate gate = new Gate();
        Thread caller = new Thread(() -> pool.runOrQueue(noted("a", "1", () -> {
            try {
                gate.pass();
                notes.add("1 ends");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        })));
        caller.start();
        gate.reached();
        CompletableFuture<Integer> drained = CompletableFuture.supplyAsync(() -> {
            try {
                int left = pool.drain(Deadline.NONE);
                notes.add("drained");
                return left;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        while (!pool.isDraining()) {
            Thread.onSpinWait();
        }
        assertThat(drained).isNotDone();

        gate.open();

        assertThat(drained.get()).isZero();
        assertThat(notes).endsWith("1 ends", "drained");
        assertThatThrownBy(() -> pool.runOrQueue(noted("a", "2"))).isInstanceOf(TaskRejectedException.class);
        caller.join();
    }
}
