package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class KeyedQueuesTest {

    private final KeyedQueues<String> queues = new KeyedQueues<>(1, PlacementPolicy.LEAST_LOADED, 1000, 1000, 3);

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
        assertThat(queues.bypassCount()).isEqualTo(3);
    }

    @Test
    void keyWhoseOldestTaskExpiresTakesThePriorityOfTheNext() {
        KeyedTask<String> expiring = add("a", Priority.CATCH_UP);
        add("a", Priority.CONTROL);
        add("b", Priority.NORMAL);
        assertThat(queues.remove(expiring)).isTrue();
        assertThat(runAll()).containsExactly("a", "b");
    }

    @Test
    void keyIsForgottenWhenItsLastTaskExpires() {
        KeyedTask<String> only = add("a", Priority.NORMAL);
        assertThat(queues.busyKeys()).isEqualTo(1);
        queues.remove(only);
        assertThat(queues.busyKeys()).isZero();
        assertThat(queues.next(0)).isNull();
    }

    private KeyedTask<String> add(String key, Priority priority) {
        KeyedTask<String> task = new KeyedTask<>(key, priority, Deadline.NONE) {
            @Override
            protected void run() {}

            @Override
            protected void abandoned(Exception reason) {}
        };
        queues.add(task);
        return task;
    }

    private List<String> runAll() {
        List<String> keys = new ArrayList<>();
        for (KeyedTask<String> task = queues.next(0); task != null; task = queues.next(0)) {
            keys.add(task.key);
            queues.finished(task.key);
            queues.checkInvariants();
        }
        return keys;
    }
}
