package io.talosgateway.loadgen;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
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
            "With --put-rate, puts are sent at their times instead (open loop), and latency counts from the time a put was due.",
            "",
            "What the warm-up brings does not count, errors excepted. Ctrl-C ends the run early and shows what there is.",
            "",
            "The results go to a folder: report.html, a page with plots; result.json, the same in numbers, for 'compare' and "
                    + "for programs; put.hlog and put.hgrm, for the tools of HdrHistogram (get.hlog, get.hgrm).",
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
            "  talos-loadgen run --preset smoke",
            "  talos-loadgen run --key-file data/keys.json --ops http://127.0.0.1:8081",
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
            names = "--preset",
            paramLabel = "smoke",
            description = {
                "Values for the options that are not given, for a purpose.",
                "smoke: is all well with the gateway on this host? 8 producers and 8 readers, 1 KiB, 12 seconds; finds the "
                        + "key of deploy/quickstart.sh, and the gateway's metrics, by itself."
            })
    private @Nullable Preset preset;

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
            description = "Write result.json to this file. Without --out, there is then no folder.")
    private @Nullable Path json;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "The folder for the results. Default: results/<start time>.")
    private @Nullable Path out;

    @Option(
            names = "--ops",
            paramLabel = "URL",
            description = {
                "Address of the gateway's health and metrics, such as http://127.0.0.1:8081: its queue wait, storage share, "
                        + "garbage collections and CPU go into the results, once a second.",
                "Default: not asked."
            })
    private @Nullable URI ops;

    @Spec
    private CommandSpec spec;

    /** On or off. */
    enum Switch {
        ON,
        OFF
    }

    @Override
    public Integer call() throws InterruptedException {
        if (preset != null) {
            apply(preset);
        }
        LoadPlan plan = new LoadPlan(
                new Endpoint(endpoint),
                Credentials.choose(keyFile, variable()),
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
        Path folder =
                out != null || json != null ? out : ResultFolder.byTime(LocalDateTime.now(ZoneId.systemDefault()));
        if (folder != null) {
            ResultFolder.check(folder);
        }
        OpsScraper scraper = scraper();
        Progress progress = Progress.to(spec.commandLine().getErr());
        if (!noCreate && TopicSetup.prepare(plan.endpoint(), plan.credentials(), topic, partitions)) {
            progress.say("Made the topic %s with %d partitions".formatted(topic, partitions));
        }
        long countsFromMs = System.currentTimeMillis() + warmup.toMillis();
        try (ResultFolder results = folder == null ? null : new ResultFolder(folder, countsFromMs)) {
            return run(plan, progress, scraper, results);
        }
    }

    private int run(LoadPlan plan, Progress progress, @Nullable OpsScraper scraper, @Nullable ResultFolder results)
            throws InterruptedException {
        LoadRun run = new LoadRun(plan, progress, results == null ? IntervalLog.NONE : results, scraper);
        LastWords lastWords = LastWords.before(run::interrupt, LAST_WORDS);
        try {
            Report report = run.run();
            show(report, results);
            return status(report);
        } finally {
            lastWords.areSaid();
        }
    }

    private static @Nullable String variable() {
        return System.getenv(Credentials.VARIABLE);
    }

    /** What the user has not said is as the preset says. */
    private void apply(Preset chosen) {
        ParseResult said = spec.commandLine().getParseResult();
        chosen.options().forEach((option, value) -> {
            if (!said.hasMatchedOption(option)) {
                spec.findOption(option).setValue(value);
            }
        });
        if (keyFile == null && variable() == null) {
            keyFile = Quickstart.keyFile();
        }
    }

    /** Null if the gateway is not to be asked, or if it was only a guess where. */
    private @Nullable OpsScraper scraper() throws InterruptedException {
        if (ops == null && preset == null) {
            return null;
        }
        OpsScraper scraper = new OpsScraper(ops == null ? Quickstart.ops(endpoint) : ops);
        String fault = scraper.findFault();
        if (fault != null && ops != null) {
            throw new LoadFailure("--ops: " + fault);
        }
        return fault == null ? scraper : null;
    }

    private void show(Report report, @Nullable ResultFolder results) {
        PrintWriter text = spec.commandLine().getOut();
        text.print(ReportText.of(report));
        text.flush();
        if (json != null) {
            ResultFile.write(json, report);
        }
        if (results != null) {
            results.write(report);
            text.println("Report: " + results.report());
            text.flush();
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
