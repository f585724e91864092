package io.talosgateway.benchmarks.kafka;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.SizeConverter;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.plan.Warmup;
import io.talosgateway.loadgen.report.ResultFile;
import io.talosgateway.loadgen.report.ResultFolder;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Puts to a Kafka broker with Kafka's own producer, each thread waiting for its answer. */
@Command(
        name = "kafka-load",
        description = {
            "Puts messages to a Kafka broker with Kafka's own producer (acks=all, linger.ms=0). Each thread puts its"
                    + " next message when the one before is acknowledged, as 'talos-loadgen run' does.",
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

    private static final String SHARED = "shared";
    private static final List<String> USES = List.of(SHARED, "per-thread");
    private static final int MAX_THREADS = 10_000;

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
            description = "Of the topic. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--no-create",
            description = "Make no topic: the broker does when it is asked for one. Must be said.")
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
            required = true,
            description = "Write result.json and put.hlog, as 'talos-loadgen run' does, to this folder.")
    private Path out = Path.of("");

    @Spec
    private CommandSpec spec;

    /**
     * With the fields and units of {@code talos-loadgen run}.
     *
     * @param cpuMicrosPerRequest CPU time of this process for each put that counts
     */
    private record Result(
            String producers,
            int putThreads,
            int partitions,
            int size,
            double seconds,
            double cpuMicrosPerRequest,
            Summary put) {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return CommandLines.of(new KafkaLoad(), e -> e instanceof LoadFailure || e instanceof KafkaException)
                .registerConverter(Warmup.class, CommandLines.reading(Warmup::parse));
    }

    @Override
    public Integer call() throws InterruptedException {
        LoadFailure.check(noCreate, "--no-create must be said: topics are made by the broker");
        LoadFailure.check(partitions >= 1, "--partitions must be at least 1");
        LoadFailure.check(threads >= 1 && threads <= MAX_THREADS, "--put-threads must be 1 to " + MAX_THREADS);
        LoadFailure.check(size >= 1, "--size must be at least 1");
        LoadFailure.check(duration.toMillis() >= 1, "--duration must be positive");
        LoadFailure.check(USES.contains(producers), "--producers must be " + String.join(" or ", USES));
        byte[] payload = new byte[size];
        new Random(seed).nextBytes(payload);
        List<Producer<byte[], byte[]>> all = new ArrayList<>();
        try (ResultFolder folder = new ResultFolder(out)) {
            for (int number = 0; number < (producers.equals(SHARED) ? 1 : threads); number++) {
                all.add(new KafkaProducer<>(producerSettings(endpoint)));
            }
            return run(new SynchronousPuts(all, threads, topic, partitions, payload), folder);
        } finally {
            all.forEach(producer -> producer.close(Duration.ofSeconds(5)));
        }
    }

    /**
     * Of a producer. The rest is as Kafka has it by default: idempotent, no compression, five requests under way, batches of at
     * most 16 KiB.
     */
    static Map<String, Object> producerSettings(String endpoint) {
        return Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                endpoint,
                ProducerConfig.ACKS_CONFIG,
                "all",
                // Whoever waits for an answer must not wait for others to fill a batch.
                ProducerConfig.LINGER_MS_CONFIG,
                0,
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class.getName(),
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class.getName());
    }

    /** The time that counts is one interval of the log. */
    private int run(SynchronousPuts puts, ResultFolder folder) throws InterruptedException {
        PrintWriter progress = spec.commandLine().getErr();
        SynchronousPuts.Result result = puts.run(warmup, duration, () -> {
            folder.begin();
            progress.println("The warm-up is over; now it counts");
            progress.flush();
        });
        double seconds = duration.toMillis() / 1000.0;
        Summary put = Summary.of(result.tally(), seconds);
        double cpuMicros = put.count() == 0 ? 0 : Math.round(result.cpuNanos() / 10.0 / put.count()) / 100.0;
        folder.interval(Kind.PUT, 0, seconds, result.tally().latency());
        ResultFile.write(
                out.resolve(ResultFolder.RESULT),
                new Result(producers, threads, partitions, size, seconds, cpuMicros, put));
        if (put.count() == 0) {
            throw new LoadFailure("Nothing was put: " + put.errorsByKind());
        }
        return 0;
    }
}
