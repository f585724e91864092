package io.talosgateway.verifier;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that were not answered in time. */
final class RunRecordTest {

    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final RunRecord books = new RunRecord(
            new Namespace("topic", 10), 10, List.of("gateway-1", "gateway-2"), new AttemptLog(100), 500 * MS);

    private void get(int gateway, int partition, long endMs, String code) {
        books.got(new Get(partition, From.LATEST, gateway, 0, endMs * MS, 1_000, GetAnswer.failed(code, "")));
    }

    private void put(int gateway, int number, long startMs, long endMs, PutAnswer answer) {
        books.attempted(new Attempt(new Put(1, number, 0, 1, true), gateway, startMs * MS, endMs * MS, 1_000, answer));
    }

    private static PutAnswer refused() {
        return PutAnswer.none(Outcome.NOT_STORED, "overloaded");
    }

    @Test
    void onlyGetsThatNothingExcusesAreWrong() {
        books.periods.begin(new Fault(FaultKind.KILL, "gateway-2", List.of(1), List.of(), Duration.ZERO), 0);

        get(0, 7, 1_000, "read");
        get(0, 7, 1_500, "read");
        get(0, 7, 1_501, "read");
        get(0, 8, 2_500, "no-answer");
        get(1, 9, 2_500, "no-answer");

        assertThat(books.violations.counts()).isEqualTo(Map.of(Rule.IN_TIME, 1L, Rule.ANSWERED, 1L));
        assertThat(books.violations.first())
                .extracting(Violations.Violation::text)
                .containsExactlyInAnyOrder(
                        "a get of partition 7 at 0.000 s by gateway-1, to which nothing was done, ended with read after "
                                + "1.501 s; it had 1.000 s",
                        "a get of partition 8 at 0.000 s by gateway-1, to which nothing was done, ended with no-answer "
                                + "after 2.500 s; it had 1.000 s");
        assertThat(books.latestGetMs()).isEqualTo(501);
        assertThat(books.latestPutMs()).isZero();
    }

    @Test
    void putIsNotAnswered() {
        put(0, 0, 0, 3_000, PutAnswer.failed(PutAnswer.NO_ANSWER));

        assertThat(books.violations.counts()).isEqualTo(Map.of(Rule.ANSWERED, 1L));
        assertThat(books.violations.first().get(0).text())
                .isEqualTo(
                        "put 0 of writer 1 to partition 0 at 0.000 s by gateway-1, to which nothing was done, ended with "
                                + "no-answer after 3.000 s; it had 1.000 s");
        assertThat(books.violations.first().get(0).attempts())
                .containsExactly("at 0.000 s, by gateway-1, after 3.000 s of 1.000 s: no-answer");
    }

    @Test
    void gatewayTakesNoConnection() {
        put(0, 0, 0, 10, PutAnswer.failed(PutAnswer.NOT_CONNECTED));

        assertThat(books.violations.counts()).isEqualTo(Map.of(Rule.ANSWERED, 1L));
    }

    @Test
    void putIsAnsweredLate() {
        put(0, 0, 0, 1_500, refused());
        assertThat(books.violations.first()).isEmpty();
        assertThat(books.latestPutMs()).isEqualTo(500);

        put(0, 1, 0, 1_501, refused());
        assertThat(books.violations.counts()).isEqualTo(Map.of(Rule.IN_TIME, 1L));
        assertThat(books.latestPutMs()).isEqualTo(501);
    }

    @Test
    void putsMayBeLateAndUnansweredWhenSomethingIsDoneToTheGateway() {
        books.periods.begin(Fault.kill("gateway-1", Duration.ZERO), 0);
        books.periods.ready(10 * MS);

        put(0, 0, 10, 2_000, refused());
        put(0, 1, 10, 2_000, PutAnswer.failed(PutAnswer.NO_ANSWER));
        assertThat(books.violations.first()).isEmpty();

        put(0, 2, 11, 2_000, refused());
        assertThat(books.violations.counts()).isEqualTo(Map.of(Rule.IN_TIME, 1L));
    }
}
