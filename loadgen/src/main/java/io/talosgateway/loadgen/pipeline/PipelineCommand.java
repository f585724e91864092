package io.talosgateway.loadgen.pipeline;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.PartitionClient;
import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.GatewayOptions;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.cli.ShutdownGate;
import io.talosgateway.loadgen.cli.UnitOptions;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.TopicSetup;
import io.talosgateway.loadgen.plan.Warmup;
import io.talosgateway.loadgen.plan.WarmupConverter;
import io.talosgateway.loadgen.report.ResultFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code talos-loadgen pipeline}. */
@Command(
        name = "pipeline",
        description = {
            "Puts messages to a topic as a queue, and takes them out with consumers that need a while for each. Says how long "
                    + "the queue became, and how old the messages were when they were consumed.",
            "",
            "The producer puts as fast as it can or, with --window, as fast as the consumers let it: so many messages at most "
                    + "are put and not yet acknowledged. A consumer has partitions of its own, takes their messages one after "
                    + "another, and acknowledges each when it is done with it. Producer and consumers are in this process, so "
                    + "that ages are of one clock; everything else goes through the gateway.",
            "",
            "The topic is made for the run, and deleted after it. The warm-up puts and consumes at full speed; when what counts "
                    + "begins, the queue is empty.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the run was done; there may be errors among its requests",
            "1:it could not be done, or nothing was put; the reason is said in a line",
            "2:wrong usage",
            "130:it was interrupted; what there was until then is shown"
        },
        footer = {
            "",
            "Examples:",
            "  talos-loadgen pipeline --key-file data/keys.json",
            "  talos-loadgen pipeline --key-file data/keys.json --window 50",
            "  talos-loadgen pipeline --key-file data/keys.json --window 50 --consumers 4 --cost 2ms",
            "  talos-loadgen pipeline --key-file data/keys.json --cost 0ms --consumers 8 --consumers-after 10s"
        })
public final class PipelineCommand implements Callable<Integer> {

    private static final Duration LAST_WORDS = Duration.ofSeconds(40);

    @Mixin
    private GatewayOptions target = new GatewayOptions();

    @Option(
            names = {"-p", "--partitions"},
            paramLabel = "N",
            defaultValue = "8",
            description = "Of the topic. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--window",
            paramLabel = "N",
            defaultValue = "0",
            description = "Most messages that are put and not yet acknowledged by a consumer. Default: no bound.")
    private int window;

    @Option(
            names = "--puts-under-way",
            paramLabel = "N",
            defaultValue = "16",
            description = "Puts that the producer sends without waiting for the first one's answer. Default: "
                    + "${DEFAULT-VALUE}.")
    private int putsUnderWay;

    @Option(
            names = "--batch",
            paramLabel = "N",
            defaultValue = "1",
            description = "Messages of a put. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(names = "--consumers", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private int consumers;

    @Option(
            names = "--cost",
            paramLabel = "TIME",
            defaultValue = "1ms",
            converter = UnitOptions.DurationConverter.class,
            description =
                    "What a consumer takes for a message; it waits, and computes nothing. Default: ${DEFAULT-VALUE}.")
    private Duration cost = Duration.ZERO;

    @Option(
            names = "--consumers-after",
            paramLabel = "TIME",
            defaultValue = "0s",
            converter = UnitOptions.DurationConverter.class,
            description = "When the consumers begin, with the first message. Default: at once.")
    private Duration consumersAfter = Duration.ZERO;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            defaultValue = "1000B",
            converter = UnitOptions.SizeConverter.class,
            description = "Size of a message: 100B, 10KiB, 1MiB. Default: ${DEFAULT-VALUE}.")
    private Integer size = 0;

    @Option(
            names = {"-w", "--warmup"},
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = WarmupConverter.class,
            description = WarmupConverter.DESCRIPTION)
    private Warmup warmup = Warmup.AUTO;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "20s",
            converter = UnitOptions.DurationConverter.class,
            description = "Load that counts. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The same seed makes the same payload, random bytes. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "Write result.json, with all seconds, to this folder. Default: only the table is shown.")
    private @Nullable Path out;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        String topic = "pipeline-" + UUID.randomUUID();
        PipelinePlan plan = new PipelinePlan(
                topic,
                partitions,
                putsUnderWay,
                batch,
                window,
                consumers,
                cost.toMillis(),
                consumersAfter.toMillis(),
                size,
                warmup,
                duration.toMillis(),
                seed);
        Endpoint gateway = new Endpoint(target.uri());
        Credentials credentials = target.credentials();
        TopicSetup.prepare(gateway, credentials, topic, partitions);
        PipelineRun run = new PipelineRun(
                plan,
                partitionClients(gateway, credentials, topic),
                Progress.to(spec.commandLine().getErr()));
        ShutdownGate lastWords = ShutdownGate.before(run::interrupt, LAST_WORDS);
        try {
            PipelineResult result = run.run();
            show(result);
            write(result);
            if (result.values().getOrDefault("put.perSecond", 0.0) == 0) {
                throw new LoadFailure("Nothing was put: " + result.firstError());
            }
            return 0;
        } finally {
            TopicSetup.delete(gateway, credentials, topic);
            lastWords.areSaid();
        }
    }

    private static List<PartitionClient> partitionClients(
            Endpoint gateway, @Nullable Credentials credentials, String topic) throws InterruptedException {
        GatewayClient.Builder builder = GatewayClient.builder(gateway.uri());
        if (credentials != null) {
            builder.key(credentials.id(), credentials.secret());
        }
        try {
            return builder.build().partitionClients(topic).get();
        } catch (ExecutionException e) {
            throw new LoadFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private void show(PipelineResult result) {
        Map<String, Double> values = result.values();
        PrintWriter text = spec.commandLine().getOut();
        text.printf(
                Locale.ROOT,
                "put       %,10.0f messages/s   mean %.2f ms, P50 %.2f, P99 %.2f, max %.0f%n",
                values.get("put.perSecond"),
                values.get("put.meanMs"),
                values.get("put.p50Ms"),
                values.get("put.p99Ms"),
                values.get("put.maxMs"));
        text.printf(
                Locale.ROOT,
                "consumed  %,10.0f messages/s   age: mean %.2f ms, P50 %.2f, P99 %.2f, max %.0f%n",
                values.get("consumed.perSecond"),
                values.get("age.meanMs"),
                values.get("age.p50Ms"),
                values.get("age.p99Ms"),
                values.get("age.maxMs"));
        text.printf(
                Locale.ROOT,
                "backlog   %,10.0f at the end, %,.0f at most%n",
                values.get("backlog.end"),
                values.get("backlog.peak"));
        if (result.firstError() != null) {
            text.printf(Locale.ROOT, "errors    %,10.0f, the first: %s%n", values.get("errors"), result.firstError());
        }
        text.flush();
    }

    private void write(PipelineResult result) {
        if (out == null) {
            return;
        }
        try {
            Files.createDirectories(out);
        } catch (IOException e) {
            throw new LoadFailure("The results cannot be written to %s: %s".formatted(out, e.getMessage()), e);
        }
        ResultFile.write(out.resolve("result.json"), result);
    }
}
