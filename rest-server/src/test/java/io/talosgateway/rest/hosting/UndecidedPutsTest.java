package io.talosgateway.rest.hosting;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class UndecidedPutsTest {

    private final UndecidedPuts puts = new UndecidedPuts();
    private final List<String> ran = new ArrayList<>();

    @Test
    void waitsForTheNextDecision() {
        puts.begin();
        puts.begin();
        puts.awaitNext(() -> ran.add("a"));
        assertThat(ran).isEmpty();
        puts.decided();
        assertThat(ran).containsExactly("a");
        assertThat(puts.isEmpty()).isFalse();
        puts.decided();
        assertThat(ran).containsExactly("a");
        assertThat(puts.isEmpty()).isTrue();
    }

    @Test
    void runsAtOnceIfThereIsNothingToWaitFor() {
        puts.awaitNext(() -> ran.add("a"));
        assertThat(ran).containsExactly("a");
    }

    /** Or it would be asked again and again, and the one that it waits for would never be decided. */
    @Test
    void whoWaitsAgainWaitsForTheDecisionAfterThis() {
        puts.begin();
        puts.begin();
        puts.awaitNext(() -> {
            ran.add("a");
            puts.awaitNext(() -> ran.add("again"));
        });
        puts.decided();
        assertThat(ran).containsExactly("a");
        puts.decided();
        assertThat(ran).containsExactly("a", "again");
    }

    @Test
    void whatIsWithdrawnIsNotRun() {
        puts.begin();
        Runnable waiter = () -> ran.add("a");
        puts.awaitNext(waiter);
        assertThat(puts.withdraw(waiter)).isTrue();
        puts.decided();
        assertThat(ran).isEmpty();
        assertThat(puts.withdraw(waiter)).isFalse();
    }
}
