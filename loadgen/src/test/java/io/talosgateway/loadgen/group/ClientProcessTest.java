package io.talosgateway.loadgen.group;

import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.StubGateway;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Plans;
import io.talosgateway.loadgen.plan.ProcessShare;
import io.talosgateway.loadgen.plan.Target;
import io.talosgateway.loadgen.plan.Traffic;
import io.talosgateway.loadgen.plan.Warmup;
import io.talosgateway.loadgen.run.RunEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** What a client process does with what it hears. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class ClientProcessTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private List<RunEvent> run(String endpoint, String words, Duration duration) throws Exception {
        return run(endpoint, words, Warmup.of(Duration.ZERO), duration);
    }

    private List<RunEvent> run(String endpoint, String words, Warmup warmup, Duration duration) throws Exception {
        LoadPlan plan = new LoadPlan(
                new Target(new Endpoint(URI.create(endpoint)), null, List.of("t"), 1, false, false),
                new Traffic(1, null, null),
                Traffic.NONE,
                Plans.raw(10),
                warmup,
                duration,
                null,
                Traffic.NONE,
                new ProcessShare(0, 2));
        try (PipedOutputStream to = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(to);
                PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8)) {
            to.write(words.getBytes(StandardCharsets.US_ASCII));
            if (words.isEmpty()) {
                to.close();
            }
            new ClientProcess(plan, in, printed, () -> {
                        throw new AssertionError("it did not end by itself");
                    })
                    .run();
        }
        return out.toString(StandardCharsets.UTF_8).lines().map(RunEvent::parse).toList();
    }

    private static RunEvent last(List<RunEvent> messages) {
        return messages.get(messages.size() - 1);
    }

    @Test
    void itWaitsForTheWordAndTellsOfItsRun() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.json(200, "{}"))) {
            List<RunEvent> messages = run(gateway.endpoint(), "go\n", Duration.ofMillis(100));

            messages = messages.stream()
                    .filter(message -> message.type() != RunEvent.Type.WARM_UP)
                    .toList();
            assertThat(messages)
                    .extracting(RunEvent::type)
                    .containsExactly(RunEvent.Type.READY, RunEvent.Type.BEGIN, RunEvent.Type.END, RunEvent.Type.FACTS);
            assertThat(messages.get(2).tallies().get(Kind.PUT).messages()).isPositive();
            assertThat(last(messages).facts().interrupted()).isFalse();
        }
    }

    @Test
    void wordToStopEndsTheRunWithWhatThereIs() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.json(200, "{}"))) {
            RunEvent last = last(run(gateway.endpoint(), "go\nstop\n", Duration.ofHours(1)));

            assertThat(last.facts().interrupted()).isTrue();
        }
    }

    @Test
    void wordToCountEndsTheWarmUp() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.json(200, "{}"))) {
            RunEvent last = last(run(
                    gateway.endpoint(), "go\ncount\n", new Warmup(Duration.ofHours(1), true), Duration.ofMillis(100)));

            assertThat(last.facts().interrupted()).isFalse();
            assertThat(last.facts().seconds()).isEqualTo(0.1);
        }
    }

    @Test
    void itEndsWithTheOneThatStartedIt() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.json(200, "{}"))) {
            RunEvent last = last(run(gateway.endpoint(), "", Duration.ofHours(1)));

            assertThat(last.facts().interrupted()).isTrue();
            assertThat(gateway.puts.get()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void whatItCannotDoIsSaidInAMessage() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.json(200, "{}"))) {
            String endpoint = gateway.endpoint();
            gateway.close();

            assertThat(last(run(endpoint, "go\n", Duration.ofHours(1))).failure())
                    .startsWith("Nothing answers at " + endpoint);
        }
    }
}
