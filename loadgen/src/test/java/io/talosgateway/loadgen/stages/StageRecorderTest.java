package io.talosgateway.loadgen.stages;

import java.io.IOException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class StageRecorderTest {

    private static final long MS = 1_000_000;

    private final StageRecorder recorder = new StageRecorder("put");

    private static String header(Object... stagesAndMs) {
        StringBuilder header = new StringBuilder();
        for (int index = 0; index < stagesAndMs.length; index += 2) {
            header.append(index == 0 ? "" : ",")
                    .append(stagesAndMs[index])
                    .append('=')
                    .append((int) stagesAndMs[index + 1] * MS);
        }
        return header.toString();
    }

    @Test
    void stepsAreBetweenNeighboursAndTheirSharesAreTheWhole() throws IOException {
        recorder.record(0, header("received", 1, "queued", 2, "started", 4, "answered", 9), 10 * MS);
        recorder.record(0, header("received", 1, "queued", 2, "started", 8, "answered", 9), 10 * MS);

        StageTimes times = recorder.times();
        assertThat(times.samples()).isEqualTo(2);
        assertThat(times.oneClock()).isTrue();
        assertThat(times.meanMs()).isCloseTo(10, within(.01));
        assertThat(times.steps())
                .extracting(step -> step.from() + "-" + step.to())
                .containsExactly(
                        "sent-received", "received-queued", "queued-started", "started-answered", "answered-got");
        assertThat(times.steps())
                .extracting(StageTimes.Step::meanMs)
                .satisfiesExactly(
                        mean -> assertThat(mean).isCloseTo(1, within(.01)),
                        mean -> assertThat(mean).isCloseTo(1, within(.01)),
                        mean -> assertThat(mean).isCloseTo(4, within(.01)),
                        mean -> assertThat(mean).isCloseTo(3, within(.01)),
                        mean -> assertThat(mean).isCloseTo(1, within(.01)));
        assertThat(times.steps().stream().mapToDouble(StageTimes.Step::share).sum())
                .isCloseTo(1, within(.002));
        assertThat(times.steps().get(2).p99Ms()).isCloseTo(6, within(.01));
    }

    @Test
    void requestsThatGoAnotherWayAreCountedApart() throws IOException {
        recorder.record(0, header("received", 1, "read", 2, "answered", 3), 4 * MS);
        recorder.record(0, header("received", 1, "queued", 2, "started", 3, "read", 4, "answered", 5), 6 * MS);

        assertThat(recorder.times().steps())
                .extracting(step -> step.from() + "-" + step.to() + " " + step.count())
                .containsExactly(
                        "sent-received 2",
                        "received-read 1",
                        "read-answered 2",
                        "received-queued 1",
                        "queued-started 1",
                        "started-read 1",
                        "answered-got 2");
    }

    @Test
    void clocksThatAreNotOneAreSeenAndTheGatewaysOwnTimesStay() throws IOException {
        recorder.record(5_000 * MS, header("received", 1, "queued", 2, "answered", 5), 5_010 * MS);

        StageTimes times = recorder.times();
        assertThat(times.oneClock()).isFalse();
        assertThat(times.meanMs()).isCloseTo(4, within(.01));
        assertThat(times.steps()).extracting(StageTimes.Step::from).containsExactly("received", "queued");
        assertThat(times.steps().get(1).share()).isCloseTo(.75, within(.002));
    }

    @Test
    void stageOfAnEarlierAttemptComesFirst() throws IOException {
        recorder.record(0, header("received", 1, "forwarded", 5, "returned", 6, "queued", 2, "answered", 7), 8 * MS);

        assertThat(recorder.times().steps())
                .extracting(StageTimes.Step::to)
                .containsExactly("received", "queued", "forwarded", "returned", "answered", "got");
    }

    @Test
    void clockMayRunOver() throws IOException {
        long before = Long.MAX_VALUE - MS;
        recorder.record(before, "received=%d,answered=%d".formatted(before + MS / 2, before + 3 * MS), before + 4 * MS);

        StageTimes times = recorder.times();
        assertThat(times.oneClock()).isTrue();
        assertThat(times.meanMs()).isCloseTo(4, within(.01));
    }

    @Test
    void nothingIsNothing() {
        StageTimes times = recorder.times();

        assertThat(times.samples()).isZero();
        assertThat(times.steps()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "received", "received=", "received=x", "Received=1", "received=99999999999999999999"})
    void whatIsNotAHeaderOfAGatewayIsRefused(String header) {
        assertThatThrownBy(() -> recorder.record(0, header, 1)).isInstanceOf(IOException.class);
        assertThat(recorder.times().samples()).isZero();
    }
}
