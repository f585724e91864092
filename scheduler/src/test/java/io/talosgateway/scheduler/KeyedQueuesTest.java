package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.scheduler.QueueLimits.Limit;
import io.talosgateway.scheduler.TaskRejectedException.Reason;
import org.junit.jupiter.api.Test;

import static io.talosgateway.scheduler.Priority.Importance.HIGH;
import static io.talosgateway.scheduler.Priority.Importance.LOW;
import static io.talosgateway.scheduler.Priority.Importance.NORMAL;
import static io.talosgateway.scheduler.Priority.Work.CATCH_UP;
import static io.talosgateway.scheduler.Priority.Work.FORWARDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

final class KeyedQueuesTest {

    private static final long MS = 1_000_000;

    private final KeyedQueues<String> queues = queues(QueueLimits.ofTasks(1000, 1000));

    private static KeyedQueues<String> queues(QueueLimits limits) {
        return new KeyedQueues<>(1, PlacementPolicy.LEAST_LOADED, limits, 3, 0, new NoSignals());
    }

    @Test
    void higherPriorityRunsFirstThenOlder() {
        add("a", Priority.CATCH_UP);
        add("b", Priority.NORMAL);
        add("c", Priority.CONTROL);
        add("d", Priority.NORMAL);
        assertThat(runAll()).containsExactly("c", "b", "d", "a");
    }

    @Test
    void oldestTaskDecidesThePriorityOfItsKey() {
        add("a", Priority.CATCH_UP);
        add("a", Priority.CONTROL);
        add("b", Priority.NORMAL);
        assertThat(runAll()).containsExactly("b", "a", "a");
    }

    @Test
    void lowPriorityIsPassedOverAsOftenAsAllowedAndNoMore() {
        add("low", Priority.CATCH_UP);
        for (int i = 0; i < 10; i++) {
            add("high-" + i, Priority.NORMAL);
        }
        assertThat(runAll().indexOf("low")).isEqualTo(3);
    }

    @Test
    void keyWhoseOldestTaskExpiresTakesThePriorityOfTheNext() {
        queues.add(task("a", Priority.CATCH_UP, Deadline.at(MS), 0), 0);
        add("a", Priority.CONTROL);
        add("b", Priority.NORMAL);
        assertThat(queues.removeExpired(0, MS)).hasSize(1);
        assertThat(runAll()).containsExactly("a", "b");
    }

    @Test
    void keyIsForgottenWhenItsLastTaskExpires() {
        queues.add(task("a", Priority.NORMAL, Deadline.at(MS), 0), 0);
        assertThat(queues.busyKeys()).isEqualTo(1);
        assertThat(queues.removeExpired(0, MS)).hasSize(1);
        assertThat(queues.busyKeys()).isZero();
        assertThat(queues.next(0, KeyedQueues.NOT_RUN)).isNull();
    }

    @Test
    void importanceComesBeforeTheKindOfWork() {
        for (Priority.Importance importance : List.of(LOW, HIGH, NORMAL)) {
            for (Priority.Work work : List.of(CATCH_UP, Priority.Work.NORMAL, FORWARDED)) {
                add(importance + " " + work, Priority.of(importance, work));
            }
        }
        add("control", Priority.CONTROL);

        // The first of each priority is passed over three times at most, which is as often as it needs to be here.
        KeyedQueues<String> patient = new KeyedQueues<>(
                1, PlacementPolicy.LEAST_LOADED, QueueLimits.ofTasks(100, 100), 100, 0, new NoSignals());
        queues.removeAll().forEach(task -> patient.add(task, 0));
        assertThat(runAll(patient))
                .containsExactly(
                        "control",
                        "HIGH FORWARDED",
                        "HIGH NORMAL",
                        "HIGH CATCH_UP",
                        "NORMAL FORWARDED",
                        "NORMAL NORMAL",
                        "NORMAL CATCH_UP",
                        "LOW FORWARDED",
                        "LOW NORMAL",
                        "LOW CATCH_UP");
    }

    @Test
    void boundsInBytesAreHeldForAKeyAWorkerAndTheWhole() {
        Limit none = Limit.NONE;
        assertRefused(new QueueLimits(new Limit(10, 100), none, none), Reason.KEY_FULL, "a", "a");
        assertRefused(new QueueLimits(none, new Limit(10, 100), none), Reason.WORKER_FULL, "a", "b");
        assertRefused(new QueueLimits(none, none, new Limit(10, 100)), Reason.EXECUTOR_FULL, "a", "b");
    }

    @Test
    void boundsInNumberAreHeldForAKeyAWorkerAndTheWhole() {
        Limit none = Limit.NONE;
        assertRefused(new QueueLimits(new Limit(1, 1_000), none, none), Reason.KEY_FULL, "a", "a");
        assertRefused(new QueueLimits(none, new Limit(1, 1_000), none), Reason.WORKER_FULL, "a", "b");
        assertRefused(new QueueLimits(none, none, new Limit(1, 1_000)), Reason.EXECUTOR_FULL, "a", "b");
    }

    private static void assertRefused(QueueLimits limits, Reason reason, String first, String second) {
        KeyedQueues<String> bounded = queues(limits);
        bounded.add(task(first, Priority.NORMAL, Deadline.NONE, 60), 0);
        assertThatExceptionOfType(TaskRejectedException.class)
                .isThrownBy(() -> bounded.add(task(second, Priority.NORMAL, Deadline.NONE, 60), 0))
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(reason));
        bounded.checkInvariants();
        assertThat(bounded.bytes()).isEqualTo(60);
        assertThat(runAll(bounded)).containsExactly(first);
        bounded.add(task(second, Priority.NORMAL, Deadline.NONE, 60), 0);
    }

    @Test
    void taskLargerThanTheBoundFitsIntoAnEmptyQueue() {
        Limit small = new Limit(10, 100);
        KeyedQueues<String> bounded = queues(new QueueLimits(small, small, small));

        bounded.add(task("a", Priority.NORMAL, Deadline.NONE, 1_000), 0);

        assertThat(bounded.queued()).isEqualTo(1);
    }

    @Test
    void taskWhoseTurnWouldComeTooLateIsRefusedOnArrival() {
        runOne(queues, 10 * MS);
        add("running", Priority.NORMAL);
        queues.next(0, KeyedQueues.NOT_RUN);
        for (int i = 0; i < 9; i++) {
            add("key-" + i, Priority.NORMAL);
        }

        assertThatExceptionOfType(TaskRejectedException.class)
                .isThrownBy(() -> queues.add(task("late", Priority.NORMAL, Deadline.at(99 * MS), 0), 0))
                .withMessage("10 tasks come before it, which takes about 100 ms, and it has 99 ms")
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(Reason.TOO_LATE));
        queues.add(task("in time", Priority.NORMAL, Deadline.at(101 * MS), 0), 0);
        queues.add(task("important", Priority.CONTROL, Deadline.at(11 * MS), 0), 0);
        queues.checkInvariants();
    }

    @Test
    void expectedWaitFollowsHowLongTasksTakeNow() {
        runOne(queues, 1_000 * MS);
        for (int run = 0; run < 300; run++) {
            runOne(queues, MS);
        }
        add("before", Priority.NORMAL);

        queues.add(task("in time", Priority.NORMAL, Deadline.at(2 * MS), 0), 0);
    }

    @Test
    void keysComeAndGoInAnyNumber() {
        for (int round = 0; round < 3; round++) {
            for (int key = 0; key < 500; key++) {
                add("key-" + key, Priority.NORMAL);
            }
            assertThat(queues.busyKeys()).isEqualTo(500);
            queues.checkInvariants();
            assertThat(runAll()).hasSize(500).doesNotHaveDuplicates();
            assertThat(queues.busyKeys()).isZero();
        }
    }

    private static void runOne(KeyedQueues<String> queues, long runNanos) {
        queues.add(task("run", Priority.NORMAL, Deadline.NONE, 0), 0);
        queues.next(0, KeyedQueues.NOT_RUN);
        queues.next(0, runNanos);
    }

    private void add(String key, Priority priority) {
        queues.add(task(key, priority, Deadline.NONE, 0), 0);
    }

    private static KeyedTask<String> task(String key, Priority priority, Deadline deadline, int bytes) {
        return new KeyedTask<>(key, priority, deadline, bytes) {
            @Override
            protected void run() {}

            @Override
            protected void abandoned(Exception reason) {}
        };
    }

    private List<String> runAll() {
        return runAll(queues);
    }

    private static List<String> runAll(KeyedQueues<String> queues) {
        List<String> keys = new ArrayList<>();
        for (KeyedTask<String> task = queues.next(0, KeyedQueues.NOT_RUN);
                task != null;
                task = queues.next(0, KeyedQueues.NOT_RUN)) {
            keys.add(task.key);
            queues.checkInvariants();
        }
        return keys;
    }
}
