package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.List;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.rest.GetAnswers.Events;
import io.talosgateway.rest.http.rest.StreamState.Action;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class StreamStateTest {

    private static final Events NONE = new Events(List.of(), 0, 7);

    private long nowMs;
    private final StreamState state = new StreamState(7, Duration.ofMillis(100), Duration.ofMillis(10), 0);

    private Action next() {
        return state.next(nowMs * 1_000_000);
    }

    private void written() {
        state.written(nowMs * 1_000_000);
    }

    private static Events events(long nextOffset) {
        return new Events(List.of(), 3, nextOffset);
    }

    /** A second get would be a second answer in memory; a second write breaks Jetty's rules. */
    @Test
    void oneGetOrOneWriteIsUnderWay() {
        assertThat(next()).isEqualTo(Action.FETCH);
        assertThat(next()).isEqualTo(Action.WAIT);
        state.fetched(events(10));
        assertThat(next()).isEqualTo(Action.WRITE);
        assertThat(state.takeEvents()).isNotNull();
        assertThat(state.takeEvents()).as("kept no longer than its write").isNull();
        nowMs = 1_000_000;
        assertThat(next()).isEqualTo(Action.WAIT);
        written();
        assertThat(state.offset()).isEqualTo(10);
        assertThat(next()).isEqualTo(Action.FETCH);
    }

    @Test
    void nothingIsGotBeforeTheFirstWriteIsDone() {
        state.beginWriting();
        assertThat(next()).isEqualTo(Action.WAIT);
        written();
        assertThat(next()).isEqualTo(Action.FETCH);
    }

    /** An owner that has no room for waiting gets answers at once: it must not be asked in a loop. */
    @Test
    void aGetThatFindsNothingAtOnceIsNotRepeatedAtOnce() {
        assertThat(next()).isEqualTo(Action.FETCH);
        state.fetched(NONE);
        assertThat(next()).isEqualTo(Action.DELAY);
        assertThat(state.fetchAtNanos()).isEqualTo(10_000_000);
        nowMs = 10;
        assertThat(next()).isEqualTo(Action.FETCH);
        nowMs = 30;
        state.fetched(NONE);
        assertThat(next()).as("it has waited").isEqualTo(Action.FETCH);
    }

    @Test
    void aSilentStreamHasHeartbeats() {
        assertThat(next()).isEqualTo(Action.FETCH);
        nowMs = 100;
        state.fetched(NONE);
        assertThat(next()).isEqualTo(Action.HEARTBEAT);
        assertThat(next()).isEqualTo(Action.WAIT);
        written();
        assertThat(next()).isEqualTo(Action.FETCH);
        nowMs = 199;
        state.fetched(NONE);
        assertThat(next()).isEqualTo(Action.FETCH);
    }

    @Test
    void whatHasBeenGotIsWrittenBeforeAStreamEnds() {
        next();
        state.fetched(events(10));
        assertThat(next()).isEqualTo(Action.WRITE);
        state.takeEvents();
        state.close();
        assertThat(next()).isEqualTo(Action.WAIT);
        written();
        assertThat(next()).isEqualTo(Action.END);
        assertThat(next()).isEqualTo(Action.WAIT);
        assertThat(state.failure()).isNull();
    }

    /** A get at another host may take seconds, for which a host that stops does not wait. */
    @Test
    void aHostThatStopsDoesNotWaitForAGet() {
        assertThat(next()).isEqualTo(Action.FETCH);
        state.close();
        assertThat(next()).isEqualTo(Action.END);
        state.fetched(events(10));
        assertThat(next()).isEqualTo(Action.WAIT);
    }

    @Test
    void aFailureEndsTheStreamOnce() {
        next();
        GatewayException failure = new GatewayException(ErrorCode.PARTITION_MOVING, "It moves.");
        state.failed(failure);
        assertThat(next()).isEqualTo(Action.END);
        assertThat(state.failure()).isSameAs(failure);
        state.gone();
        assertThat(next()).isEqualTo(Action.WAIT);
    }

    @Test
    void aClientThatGoesWhileItWaitsIsNotWrittenTo() {
        next();
        state.gone();
        assertThat(next()).isEqualTo(Action.ABORT);
        assertThat(next()).isEqualTo(Action.WAIT);
    }

    /** The answer may not be failed while Jetty writes: the connection is closed, and then the write fails. */
    @Test
    void aClientThatGoesDuringAWriteIsDisconnectedFirst() {
        next();
        state.fetched(events(10));
        next();
        state.gone();
        assertThat(next()).isEqualTo(Action.DISCONNECT);
        assertThat(next()).isEqualTo(Action.WAIT);
        state.writeFailed();
        assertThat(next()).isEqualTo(Action.ABORT);
        assertThat(next()).isEqualTo(Action.WAIT);
    }
}
