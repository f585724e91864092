package io.talosgateway.loadgen;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.cli.Quickstart;
import io.talosgateway.loadgen.cli.ShutdownGate;
import io.talosgateway.loadgen.content.MessageOptions;
import io.talosgateway.loadgen.content.Sizes;
import io.talosgateway.loadgen.http.TopicSetup;
import io.talosgateway.loadgen.measure.OpsScraper;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Target;
import io.talosgateway.loadgen.plan.TargetOptions;
import io.talosgateway.loadgen.plan.TrafficOptions;
import io.talosgateway.loadgen.plan.Warmup;
import io.talosgateway.loadgen.report.Report;
import io.talosgateway.loadgen.report.ReportPage;
import io.talosgateway.loadgen.report.ResultFile;
import io.talosgateway.loadgen.report.ResultFolder;
import io.talosgateway.loadgen.report.ResultOptions;
import io.talosgateway.loadgen.run.LoadRun;
import io.talosgateway.loadgen.run.RunMonitor;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "With --put-rate, puts are sent at their times instead (open loop), and latency counts "
                    + "from the time a put was due.",
            "",
            "With --pending, no thread waits for an answer: a few threads keep that many requests under way, each on a "
                    + "connection of its own.",
            "",
            "What the warm-up brings does not count, errors excepted. Ctrl-C ends the run early and shows what there is.",
            "",
            "The results go to a folder: report.html, a page with plots; result.json, the same in numbers, for 'compare' and "
                    + "for programs.",
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
            "  talos-loadgen run --topic one,two --put-threads 240 --put-rate 500",
            "  talos-loadgen run --format thrift --batch 100 --size 100B --compression snappy",
            "  TALOS_KEY=ID:SECRET talos-loadgen run --endpoint http://gateway:8080 --topic load --partitions 16"
        })
final class RunCommand implements Callable<Integer> {

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(40);

    /** By the names of the options. */
    private static final Map<String, Object> SMOKE = Map.of(
            "--topic", List.of("smoke"),
            "--partitions", 8,
            "--put-threads", 8,
            "--get-threads", 8,
            "--size", Sizes.parse("1KiB"),
            "--warmup", Warmup.of(Duration.ofSeconds(2)),
            "--duration", Duration.ofSeconds(10));

    private enum Preset {
        SMOKE
    }

    @Mixin
    private TargetOptions target = new TargetOptions();

    @Option(
            names = "--preset",
            paramLabel = "smoke",
            description = {
                "Values for the options that are not given, for a purpose.",
                "smoke: is all well with the gateway on this host? 8 producers and 8 readers, 1 KiB, 12 seconds; finds the "
                        + "key of deploy/quickstart.sh, and the gateway's metrics, by itself."
            })
    private @Nullable Preset preset;

    @Mixin
    private TrafficOptions traffic = new TrafficOptions();

    @Mixin
    private MessageOptions messages = new MessageOptions();

    @Option(
            names = {"-w", "--warmup"},
            paramLabel = "TIME",
            defaultValue = "5s",
            description = Warmup.DESCRIPTION)
    private Warmup warmup = Warmup.AUTO;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Load that counts. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Mixin
    private ResultOptions results = new ResultOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (preset != null) {
            applyPreset();
        }
        LoadPlan plan = plan();
        Path folder = results.checkedFolder();
        OpsScraper scraper = results.scraper(
                preset == null ? null : Quickstart.ops(target.uri()),
                target.trust(),
                plan.target().credentials());
        Progress progress = Progress.to(spec.commandLine().getErr());
        prepareTopics(plan.target(), progress);
        try (OpsScraper ops = scraper) {
            return run(plan, new RunMonitor(progress), ops, folder);
        }
    }

    private LoadPlan plan() {
        return new LoadPlan(
                target.target(),
                traffic.puts(),
                traffic.gets(),
                messages.content(),
                warmup,
                duration,
                traffic.ioThreads());
    }

    private static void prepareTopics(Target target, Progress progress) throws InterruptedException {
        for (String topic : target.knowsTopics() ? target.topics() : List.<String>of()) {
            if (TopicSetup.prepare(target.endpoint(), target.credentials(), topic, target.partitions(), null)) {
                progress.say("Made the topic %s with %d partitions".formatted(topic, target.partitions()));
            }
        }
    }

    private int run(LoadPlan plan, RunMonitor monitor, @Nullable OpsScraper scraper, @Nullable Path folder)
            throws InterruptedException {
        LoadRun load = new LoadRun(plan, monitor);
        ShutdownGate gate = ShutdownGate.closed(load::interrupt, SHUTDOWN_TIMEOUT);
        try {
            if (scraper != null) {
                scraper.start();
            }
            RunFacts facts = load.run();
            List<Map<String, Double>> server = scraper == null ? List.of() : scraper.since(monitor.beganNanos());
            Report report = Report.of(plan, facts, monitor.timeline(), server);
            show(report, folder);
            return status(report);
        } finally {
            gate.open();
        }
    }

    /** What the user has not said is as the preset says. */
    private void applyPreset() {
        ParseResult said = spec.commandLine().getParseResult();
        SMOKE.forEach((option, value) -> {
            if (!said.hasMatchedOption(option)) {
                spec.findOption(option).setValue(value);
            }
        });
        target.guessKey();
    }

    private void show(Report report, @Nullable Path folder) {
        PrintWriter text = spec.commandLine().getOut();
        text.print(ReportPage.of(report).toText());
        text.flush();
        if (results.json() != null) {
            ResultFile.write(results.json(), report);
        }
        if (folder != null) {
            text.println("Report: " + ResultFolder.write(folder, report));
            text.flush();
        }
    }

    private static int status(Report report) {
        if (report.facts().failure() != null) {
            throw new LoadFailure(report.facts().failure());
        }
        if (report.answered() == 0 && !report.facts().interrupted()) {
            throw new LoadFailure("No request was answered in the time that counts; see the errors above");
        }
        return 0;
    }
}
