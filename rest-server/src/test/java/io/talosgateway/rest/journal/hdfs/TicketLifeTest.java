package io.talosgateway.rest.journal.hdfs;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

final class TicketLifeTest {

    private static final long FROM = 1_000_000;
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final TicketLife tenHours = new TicketLife(FROM, FROM + 10 * HOUR);

    @Test
    void fifthOfTheLifeIsLeftForAKdcThatDoesNotAnswer() {
        assertThat(tenHours.isDue(FROM)).isFalse();
        assertThat(tenHours.isDue(FROM + 8 * HOUR - 1)).isFalse();
        assertThat(tenHours.isDue(FROM + 8 * HOUR)).isTrue();
        assertThat(tenHours.isDue(FROM + 11 * HOUR)).isTrue();
    }

    @Test
    void ticketIsOverAtItsEnd() {
        assertThat(tenHours.isOver(FROM + 10 * HOUR - 1)).isFalse();
        assertThat(tenHours.isOver(FROM + 10 * HOUR)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"PT10H,60000", "PT5M,6000", "PT1S,100", "PT0S,100"})
    void kdcIsAskedOnceAMinuteAtMostUnlessTicketsAreShort(Duration life, long pollMs) {
        assertThat(new TicketLife(FROM, FROM + life.toMillis()).pollMs()).isEqualTo(pollMs);
    }
}
