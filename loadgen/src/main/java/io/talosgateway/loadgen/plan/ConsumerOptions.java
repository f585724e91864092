package io.talosgateway.loadgen.plan;

import java.time.Duration;
import java.util.Set;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Options that make a run a queue: one producer, and consumers that need a while for each message. */
public final class ConsumerOptions {

    /** How many puts are under way if it is not said. */
    public static final int PUTS_UNDER_WAY = 16;

    private static final Set<String> OWN = Set.of("--cost", "--consumers-after", "--window");
    private static final Set<String> SHARED = Set.of(
            "--consumers",
            "--endpoint",
            "--key-file",
            "--partitions",
            "--pending",
            "--size",
            "--batch",
            "--seed",
            "--tls-ca",
            "--tls-insecure",
            "--ops",
            "--warmup",
            "--duration",
            "--out",
            "--json");

    @Option(
            names = "--consumers",
            paramLabel = "N",
            description = {
                "Use the topic as a queue: one producer keeps --pending puts under way (16 if it is not said), and N consumers with "
                        + "partitions of their own take the messages out in order. The run says how long the queue became, and how "
                        + "old messages were when a consumer had acknowledged them. Producer and consumers are in this process, so "
                        + "that ages are of one clock. The topic is made for the run and deleted after it; when what counts begins, "
                        + "the queue is empty."
            })
    private @Nullable Integer consumers;

    @Option(
            names = "--cost",
            paramLabel = "TIME",
            defaultValue = "1ms",
            description =
                    "What a consumer takes for a message; it waits, and computes nothing. Default: ${DEFAULT-VALUE}.")
    private Duration cost = Duration.ZERO;

    @Option(
            names = "--consumers-after",
            paramLabel = "TIME",
            defaultValue = "0s",
            description = "When the consumers begin, with the first message. Default: at once.")
    private Duration consumersAfter = Duration.ZERO;

    @Option(
            names = "--window",
            paramLabel = "N",
            defaultValue = "0",
            description =
                    "Most messages that are put and not yet acknowledged by a consumer: the producer waits. Default: no bound.")
    private int window;

    /** @throws LoadFailure with a sentence for the user if other options do not fit a queue, or a run that is none */
    public void check(ParseResult said) {
        for (OptionSpec option : said.matchedOptions()) {
            String name = option.longestName();
            if (consumers == null && OWN.contains(name)) {
                throw new LoadFailure(name + " is for consumers: say how many with --consumers");
            }
            if (consumers != null && !OWN.contains(name) && !SHARED.contains(name)) {
                throw new LoadFailure(name + " has no meaning with --consumers");
            }
        }
    }

    /** Null if the run is none. */
    @Nullable
    public Queue queue() {
        return consumers == null ? null : new Queue(consumers, cost, consumersAfter, window);
    }
}
