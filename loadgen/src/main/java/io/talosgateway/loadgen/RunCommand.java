package io.talosgateway.loadgen;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code talos-loadgen run}. */
@Command(
        name = "run",
        description = {
            "Puts and gets messages for a while and says how fast the gateway was.",
            "",
            "The load is a closed loop: each thread has a connection of its own and sends its next request when the one "
                    + "before is answered. So the rate is what the gateway makes of that many clients that wait, and "
                    + "threads = rate x mean latency. Put thread i puts to partition i mod --partitions; get thread i "
                    + "follows the end of that partition.",
            "",
            "What the warm-up brings does not count, errors excepted. Ctrl-C ends the run early and shows what there is.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the run was done; there may be errors among its requests",
            "1:it could not be done, or every request failed; the reason is said in a line",
            "2:wrong usage",
            "130:it was interrupted"
        },
        footer = {
            "",
            "Examples:",
            "  talos-loadgen run --key-file data/keys.json",
            "  talos-loadgen run --put-threads 8 --size 100B --duration 1m --json result.json",
            "  talos-loadgen run --put-threads 120 --get-threads 120",
            "  TALOS_KEY=ID:SECRET talos-loadgen run --endpoint http://gateway:8080 --topic load --partitions 16"
        })
final class RunCommand implements Callable<Integer> {

    private static final Duration LAST_WORDS = Duration.ofSeconds(40);

    @Option(
            names = {"-e", "--endpoint"},
            paramLabel = "URL",
            defaultValue = "${env:TALOS_ENDPOINT:-http://127.0.0.1:8080}",
            description = "Address of the gateway. Default: $TALOS_ENDPOINT, or http://127.0.0.1:8080.")
    private URI endpoint = URI.create("http://127.0.0.1:8080");

    @Option(
            names = {"-k", "--key-file"},
            paramLabel = "FILE",
            description = {
                "Key file of a gateway, of which the first key is used.",
                "Default: the key in $" + Credentials.VARIABLE + ", as ID:SECRET; without it, no key is sent."
            })
    private @Nullable Path keyFile;

    @Option(
            names = {"-t", "--topic"},
            paramLabel = "TOPIC",
            defaultValue = "loadgen",
            description = "The topic, which is made if it is not there. Default: ${DEFAULT-VALUE}.")
    private String topic = "loadgen";

    @Option(
            names = {"-p", "--partitions"},
            paramLabel = "N",
            defaultValue = "120",
            description = "How many partitions are used; the topic needs at least as many. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--no-create",
            description = "Do not look whether the topic is there, nor make it. For servers that only take puts.")
    private boolean noCreate;

    @Option(
            names = "--put-threads",
            paramLabel = "N",
            defaultValue = "120",
            description = "Producers. Default: ${DEFAULT-VALUE}.")
    private int putThreads;

    @Option(
            names = "--get-threads",
            paramLabel = "N",
            defaultValue = "0",
            description = "Readers, which follow the ends of their partitions. Default: ${DEFAULT-VALUE}.")
    private int getThreads;

    @Option(
            names = "--put-rate",
            paramLabel = "N",
            description = {
                "Puts a second of all producers together, each sent at its time while a producer is free (open loop); latency "
                        + "counts from that time.",
                "Default: each producer puts again as soon as it is answered (closed loop)."
            })
    private @Nullable Integer putRate;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = UnitOptions.DurationConverter.class,
            description = "How long the gateway may take for a put. Default: as long as it wants.")
    private @Nullable Duration timeout;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            defaultValue = "10KiB",
            converter = UnitOptions.SizeConverter.class,
            description = "Size of a message: 100B, 10KiB, 1MiB. Default: ${DEFAULT-VALUE}.")
    private Integer size = 0;

    @Option(
            names = {"-w", "--warmup"},
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = UnitOptions.DurationConverter.class,
            description = "Load before anything counts: 500ms, 10s, 5m. Default: ${DEFAULT-VALUE}.")
    private Duration warmup = Duration.ZERO;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = UnitOptions.DurationConverter.class,
            description = "Load that counts. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--idempotency-keys",
            paramLabel = "on|off",
            defaultValue = "off",
            description = "Whether each put has an idempotency key of its own. Default: ${DEFAULT-VALUE}.")
    private Switch idempotencyKeys = Switch.OFF;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The same seed makes the same payload, random bytes. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = {"-j", "--json"},
            paramLabel = "FILE",
            description = "Write the results to this file, too.")
    private @Nullable Path json;

    @Spec
    private CommandSpec spec;

    /** On or off. */
    enum Switch {
        ON,
        OFF
    }

    @Override
    public Integer call() throws InterruptedException {
        LoadPlan plan = new LoadPlan(
                new Endpoint(endpoint),
                Credentials.choose(keyFile, System.getenv(Credentials.VARIABLE)),
                topic,
                partitions,
                putThreads,
                getThreads,
                putRate,
                timeout,
                size,
                warmup,
                duration,
                seed,
                idempotencyKeys == Switch.ON);
        if (json != null) {
            ResultFile.check("--json", json);
        }
        Progress progress = Progress.to(spec.commandLine().getErr());
        if (!noCreate && TopicSetup.prepare(plan.endpoint(), plan.credentials(), topic, partitions)) {
            progress.say("Made the topic %s with %d partitions".formatted(topic, partitions));
        }
        LoadRun run = new LoadRun(plan, progress);
        LastWords lastWords = LastWords.before(run::interrupt, LAST_WORDS);
        try {
            Report report = run.run();
            show(report);
            return status(report);
        } finally {
            lastWords.areSaid();
        }
    }

    private void show(Report report) {
        spec.commandLine().getOut().print(ReportText.of(report));
        spec.commandLine().getOut().flush();
        if (json != null) {
            ResultFile.write(json, report);
        }
    }

    private static int status(Report report) {
        if (report.failure() != null) {
            throw new LoadFailure(report.failure());
        }
        if (report.answered() == 0 && !report.interrupted()) {
            throw new LoadFailure("No request was answered in the time that counts; see the errors above");
        }
        return 0;
    }
}
