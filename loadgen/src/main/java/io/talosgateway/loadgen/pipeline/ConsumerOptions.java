package io.talosgateway.loadgen.pipeline;

import java.time.Duration;
import java.util.Set;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.content.MessageOptions;
import io.talosgateway.loadgen.plan.Warmup;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Options that make a run a queue: one producer, and consumers that need a while for each message. */
public final class ConsumerOptions {

    private static final int PUTS_UNDER_WAY = 16;
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

    /**
     * Whether the run is a queue.
     *
     * @throws LoadFailure with a sentence for the user if other options do not fit that
     */
    public boolean areGiven(ParseResult said) {
        for (OptionSpec option : said.matchedOptions()) {
            String name = option.longestName();
            if (consumers == null && OWN.contains(name)) {
                throw new LoadFailure(name + " is for consumers: say how many with --consumers");
            }
            if (consumers != null && !OWN.contains(name) && !SHARED.contains(name)) {
                throw new LoadFailure(name + " has no meaning with --consumers");
            }
        }
        return consumers != null;
    }

    /** @throws LoadFailure with a sentence for the user if it cannot be done */
    public PipelinePlan plan(
            String topic,
            int partitions,
            @Nullable Integer pending,
            MessageOptions messages,
            Warmup warmup,
            Duration duration) {
        return new PipelinePlan(
                topic,
                partitions,
                pending == null ? PUTS_UNDER_WAY : pending,
                messages.batch(),
                window,
                consumers == null ? 0 : consumers,
                cost.toMillis(),
                consumersAfter.toMillis(),
                (int) Math.round(messages.sizes().mean()),
                warmup,
                duration.toMillis(),
                messages.seed());
    }
}
