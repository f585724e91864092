package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Attempts come back as they were written, from their few bytes. */
final class AttemptLogTest {

    private final AttemptLog log = new AttemptLog(10_000);

    private static Attempt attempt(int writer, int number, PutAnswer answer) {
        Put put = new Put(writer, number, 700, 8, number % 10 != 0);
        return new Attempt(put, 254, number * 1_000_000L, number * 1_000_000L + 7, 2_000, answer);
    }

    @Test
    void attemptsComeBackInOrder() {
        List<Attempt> added = new ArrayList<>();
        for (int number = 0; number < 9_000; number++) {
            PutAnswer answer = switch (number % 4) {
                case 0 -> PutAnswer.stored("disk", number * 1_000_000_000L, false);
                case 1 -> PutAnswer.stored("memory", number, true);
                case 2 -> PutAnswer.none(Outcome.UNKNOWN, "outcome-unknown");
                default -> new PutAnswer(Outcome.NOT_STORED, "topic-not-found", -1, false, false, -1);
            };
            Attempt attempt = attempt(number % 5 == 0 ? VerifyPlan.MAX_WRITERS : number % 5, number, answer);
            added.add(attempt);
            log.add(attempt);
        }

        List<Attempt> found = new ArrayList<>();
        log.forEach(found::add);

        assertThat(found).isEqualTo(added);
        assertThat(log.size()).isEqualTo(9_000);
        assertThat(log.isFull()).isFalse();
    }

    @Test
    void fullLogSaysSo() {
        AttemptLog small = new AttemptLog(2);
        small.add(attempt(0, 0, PutAnswer.stored("disk", 0, false)));
        assertThat(small.isFull()).isFalse();
        small.add(attempt(0, 1, PutAnswer.stored("disk", 1, false)));
        assertThat(small.isFull()).isTrue();
    }

    @Test
    void attemptsOfAPutAreShown() {
        log.add(attempt(1, 3, PutAnswer.none(Outcome.UNKNOWN, "outcome-unknown")));
        log.add(attempt(1, 4, PutAnswer.stored("disk", 16, false)));
        log.add(attempt(1, 3, PutAnswer.stored("disk", 17, true)));
        List<String> gateways = new ArrayList<>(Collections.nCopies(255, "gateway"));

        assertThat(log.describe(1, 3, gateways))
                .containsExactly(
                        "at 0.003 s, by gateway, after 0.000 s of 2.000 s: outcome-unknown",
                        "at 0.003 s, by gateway, after 0.000 s of 2.000 s: stored/disk at offset 17, a repeat");
    }
}
