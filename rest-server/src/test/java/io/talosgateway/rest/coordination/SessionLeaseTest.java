package io.talosgateway.rest.coordination;

import java.time.Duration;
import java.time.Instant;

import io.talosgateway.rest.coordination.SessionLease.Moment;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** With a session timeout of 9 s, so that a third of it is 3 s. */
final class SessionLeaseTest {

    private long nanos = Long.MAX_VALUE - 1_000; // the clock wraps in every test
    private long wallMs = 1_700_000_000_000L;
    private final SessionLease lease =
            new SessionLease(Duration.ofSeconds(9), () -> nanos, () -> Instant.ofEpochMilli(wallMs));

    private void pass(long ms) {
        nanos += ms * 1_000_000;
        wallMs += ms;
    }

    /** As the host does: asks, and hears a while later. */
    private void confirmAfter(long ms) {
        Moment asked = lease.now();
        pass(ms);
        lease.confirmed(asked);
    }

    @Test
    void isNotHeldBeforeTheFirstConfirmation() {
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.whyNotHeld()).isEqualTo("this host has had no confirmation from ZooKeeper yet");
    }

    @Test
    void lastsForTwoThirdsOfTheTimeoutFromTheTimeAtWhichTheConfirmationWasAskedFor() {
        confirmAfter(2_000);
        pass(3_999);
        assertThat(lease.isHeld()).isTrue();
        pass(1);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.whyNotHeld()).isEqualTo("this host has had no confirmation from ZooKeeper for 6 s");
    }

    @Test
    void confirmationThatComesTooLateGivesNothing() {
        confirmAfter(6_000);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void isRenewedByEachConfirmation() {
        for (int second = 0; second < 100; second += 2) {
            confirmAfter(500);
            assertThat(lease.isHeld()).isTrue();
            pass(1_500);
        }
        pass(3_999);
        assertThat(lease.isHeld()).isTrue();
        pass(1);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void confirmationsThatOvertakeEachOtherDoNotShortenIt() {
        Moment first = lease.now();
        pass(1_000);
        lease.confirmed(lease.now());
        lease.confirmed(first);
        pass(5_999);
        assertThat(lease.isHeld()).isTrue();
    }

    /** The leader may know of no sign of life since the confirmation before, and end the session 9 s after that. */
    @Test
    void endsNoLaterThanTheTimeoutAfterTheConfirmationBefore() {
        confirmAfter(0);
        pass(8_000);
        assertThat(lease.isHeld()).isFalse();
        confirmAfter(0);
        assertThat(lease.isHeld()).isTrue();
        pass(999);
        assertThat(lease.isHeld()).isTrue();
        pass(1);
        assertThat(lease.isHeld()).isFalse();
        confirmAfter(0);
        pass(5_999);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void endsWhenTheWallClockHasPassedItsEndAlthoughTheMonotonicClockStoodStill() {
        confirmAfter(0);
        wallMs += 5_999;
        assertThat(lease.isHeld()).isTrue();
        wallMs += 1;
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.whyNotHeld()).contains("for 6 s");
    }

    /** The session was without a sign of life for longer than the monotonic clock says. */
    @Test
    void suspensionCountsAsTimeBetweenConfirmations() {
        confirmAfter(0);
        wallMs += 8_000;
        confirmAfter(0);
        pass(999);
        assertThat(lease.isHeld()).isTrue();
        pass(1);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void wallClockThatIsSetBackGivesNoTime() {
        confirmAfter(0);
        wallMs -= 3_600_000;
        nanos += 5_999_999_999L;
        assertThat(lease.isHeld()).isTrue();
        nanos += 1;
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void whatHasEndedIsNotRevived() {
        confirmAfter(0);
        Moment asked = lease.now();
        lease.end("its session has ended");
        assertThat(lease.isHeld()).isFalse();
        lease.confirmed(asked);
        confirmAfter(0);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.hasEnded()).isTrue();
        assertThat(lease.whyNotHeld()).isEqualTo("its session has ended");
    }
}
