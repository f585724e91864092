package io.talosgateway.benchmarks.kafka;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.SizeConverter;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.plan.Warmup;
import io.talosgateway.loadgen.report.ResultFile;
import org.HdrHistogram.HistogramLogWriter;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Puts to a Kafka broker with Kafka's own producer, each thread waiting for its answer. */
@Command(
        name = "kafka-load",
        description = {
            "Puts messages to a Kafka broker with Kafka's own producer (acks=all, linger.ms=0) and says how fast it was. "
                    + "Each thread puts its next message when the one before is acknowledged, as 'talos-loadgen run' does.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the run was done; there may be errors among its puts",
            "1:it could not be done, or every put failed; the reason is said in a line",
            "2:wrong usage"
        })
public final class KafkaLoad implements Callable<Integer> {

    @Option(
            names = {"-e", "--endpoint"},
            paramLabel = "HOST:PORT",
            required = true,
            description = "Where the broker is.")
    private String endpoint = "";

    @Option(
            names = {"-t", "--topic"},
            paramLabel = "TOPIC",
            defaultValue = "load",
            description = "Default: ${DEFAULT-VALUE}.")
    private String topic = "load";

    @Option(
            names = {"-p", "--partitions"},
            paramLabel = "N",
            defaultValue = "120",
            description = "Of the topic, which is made with as many. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--no-create", description = "Do not make the topic: the broker does when it is asked for.")
    private boolean noCreate;

    @Option(names = "--put-threads", paramLabel = "N", defaultValue = "120", description = "Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--producers",
            paramLabel = "shared|per-thread",
            defaultValue = "shared",
            description = "One producer for all threads, or one for each. Default: ${DEFAULT-VALUE}.")
    private String producers = "shared";

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            defaultValue = "10KiB",
            converter = SizeConverter.class,
            description = "Of a message: 100B, 10KiB. Default: ${DEFAULT-VALUE}.")
    private Integer size = 0;

    @Option(
            names = {"-w", "--warmup"},
            paramLabel = "TIME",
            defaultValue = "10s",
            description = Warmup.DESCRIPTION)
    private Warmup warmup = Warmup.AUTO;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Puts that count. Default: ${DEFAULT-VALUE}.")
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
            description = "Write result.json and put.hlog, as 'talos-loadgen run' does, to this folder.")
    private @Nullable Path out;

    @Spec
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return CommandLines.of(
                        new KafkaLoad(),
                        e -> e instanceof IllegalArgumentException
                                || e instanceof IOException
                                || e instanceof KafkaException)
                .registerConverter(Warmup.class, CommandLines.reading(Warmup::parse));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PutPlan plan = new PutPlan(
                endpoint, topic, partitions, threads, ProducerUse.parse(producers), size, warmup, duration, seed);
        if (!noCreate) {
            createTopic(plan);
        }
        PrintWriter progress = spec.commandLine().getErr();
        AtomicLong countsFromMs = new AtomicLong();
        SynchronousPuts puts = new SynchronousPuts(plan, () -> {
            countsFromMs.set(System.currentTimeMillis());
            progress.println("The warm-up is over; now it counts");
            progress.flush();
        });
        PutResult result = puts.run();
        show(result.json());
        if (out != null) {
            write(Files.createDirectories(out), countsFromMs.get(), result);
        }
        return result.json().put().count() == 0 ? 1 : 0;
    }

    private static void createTopic(PutPlan plan) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", plan.bootstrap()))) {
            admin.createTopics(List.of(new NewTopic(plan.topic(), plan.partitions(), (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new KafkaException(
                        "The topic '%s' could not be made at %s: %s"
                                .formatted(plan.topic(), plan.bootstrap(), e.getCause()),
                        e);
            }
        }
    }

    /** The time that counts is one interval of the log. */
    private void write(Path folder, long countsFromMs, PutResult result) throws IOException {
        ResultFile.write(folder.resolve("result.json"), result.json());
        try (PrintStream log = new PrintStream(folder.resolve("put.hlog").toFile(), StandardCharsets.UTF_8)) {
            HistogramLogWriter writer = new HistogramLogWriter(log);
            writer.outputLogFormatVersion();
            writer.outputBaseTime(countsFromMs);
            writer.setBaseTime(countsFromMs);
            writer.outputLegend();
            result.latencies().setStartTimeStamp(countsFromMs);
            result.latencies().setEndTimeStamp(countsFromMs + duration.toMillis());
            writer.outputIntervalHistogram(result.latencies());
        }
    }

    private void show(PutResult.Json result) {
        Summary put = result.put();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                Locale.ROOT,
                "%,.0f puts/s, mean %.3f ms, P50 %.3f, P75 %.3f, P99 %.3f, P99.9 %.3f, max %.1f ms; %.1f us of CPU a put; "
                        + "%,d errors%n",
                put.perSecond(),
                put.meanMs(),
                put.p50Ms(),
                put.p75Ms(),
                put.p99Ms(),
                put.p999Ms(),
                put.maxMs(),
                result.cpuMicrosPerRequest(),
                put.errors());
        put.errorsByKind()
                .forEach(error -> out.printf("%,d times %s: %s%n", error.count(), error.code(), error.detail()));
        out.flush();
    }
}
