package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.cli.Quickstart;
import io.talosgateway.loadgen.cli.ShutdownGate;
import io.talosgateway.loadgen.plan.Warmup;
import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.loadgen.report.ResultFolder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code talos-loadgen experiment NAME}. */
@Command(
        sortOptions = false,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all runs were made",
            "1:it could not be done, or some runs failed; the reason is said in a line",
            "2:wrong usage",
            "130:it was interrupted; what there was until then is shown"
        })
final class NameCommand implements Callable<Integer> {

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(60);

    private final String name;

    @Option(
            names = "--scale",
            paramLabel = "quick|full",
            defaultValue = "quick",
            description = {
                "quick: fits two cores.",
                "full: of the published size, as far as one machine can have it.",
                "Default: ${DEFAULT-VALUE}."
            })
    private Scale scale = Scale.QUICK;

    @Option(names = "--rounds", paramLabel = "N", description = "How often each run is made. Default: by the scale.")
    private @Nullable Integer rounds;

    @Option(
            names = {"-w", "--warmup"},
            paramLabel = "TIME",
            description =
                    "Load before anything counts: 10s, or auto, until the rate has stopped rising, which takes 12 s to "
                            + "60 s. Default: by the scale.")
    private @Nullable Warmup warmup;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            description = "Load that counts, in each run. Default: by the scale.")
    private @Nullable Duration duration;

    @Option(
            names = "--only",
            paramLabel = "VARIANT",
            split = ",",
            description = "Make only the runs of these variants; several with commas between them. Default: all.")
    private Set<String> only = new LinkedHashSet<>();

    @Option(
            names = "--storage",
            paramLabel = "hdfs|file",
            description = {
                "hdfs: a NameNode and DataNodes are started for each run.",
                "file: the local disk; nothing is needed beyond the distribution, if all variants are of it.",
                "Default: hdfs, if the experiment does not say otherwise above."
            })
    private @Nullable StorageKind storage;

    @Option(
            names = "--data-nodes",
            paramLabel = "N",
            defaultValue = "" + TrialSettings.DATA_NODES,
            description = "DataNodes, and replicas of each message. Default: ${DEFAULT-VALUE}.")
    private int dataNodes;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "" + TrialSettings.SEED,
            description = "Of the loads. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = {
                "The folder for the results: report.html, a page with plots and tables; result.json, every single run; "
                        + "table.md, for documents; runs/, what each client wrote.",
                "Default: results/<start time>."
            })
    private @Nullable Path out;

    @Option(
            names = "--work-directory",
            paramLabel = "DIR",
            description =
                    "An existing folder on the disk that is to be loaded; what is made in it is deleted. Default: a "
                            + "temporary folder.")
    private @Nullable Path workDirectory;

    @Option(
            names = "--kit",
            paramLabel = "DIR",
            description =
                    "Where HDFS and the other programs are that are not in the distribution. Default: where benchmarks/kit.sh "
                            + "of the source tree of this distribution has built them.")
    private @Nullable Path kit;

    @Spec
    private CommandSpec spec;

    private NameCommand(String name) {
        this.name = name;
    }

    static CommandSpec spec(String name) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new NameCommand(name));
        UsageMessageSpec usage = spec.usageMessage();
        Experiment experiment = Experiments.usually(name, Scale.QUICK);
        List<String> description = new ArrayList<>(List.of(experiment.question(), ""));
        experiment.description().forEach(paragraph -> description.addAll(List.of(paragraph, "")));
        List<String> variants = experiment.variants();
        description.addAll(List.of("Variants: " + String.join(", ", variants) + ".", ""));
        for (Scale scale : Scale.values()) {
            description.add("--scale %s: %s.".formatted(scale.text(), Experiments.usualCost(name, scale)));
        }
        description.add("");
        usage.description(
                description.stream().map(line -> line.replace("%", "%%")).toArray(String[]::new));
        usage.footer(
                "",
                "Examples:",
                "  talos-loadgen experiment " + name,
                "  talos-loadgen experiment %s --scale full --out %1$s-full".formatted(name));
        return spec;
    }

    private TrialSettings settings() {
        TrialSettings usual = Experiments.usual(name, scale);
        LoadFailure.check(rounds == null || rounds >= 1, "--rounds must be at least 1");
        LoadFailure.check(duration == null || duration.toMillis() >= 1, "--duration must be positive");
        LoadFailure.check(dataNodes >= 1, "--data-nodes must be at least 1");
        return new TrialSettings(
                scale,
                storage == null ? usual.storage() : storage,
                rounds == null ? usual.rounds() : rounds,
                warmup == null ? usual.warmup() : warmup,
                duration == null ? usual.duration() : duration,
                dataNodes,
                seed);
    }

    private void checkVariants(Experiment experiment) {
        List<String> variants = experiment.variants();
        for (String variant : only) {
            LoadFailure.check(
                    variants.contains(variant),
                    "--only: there is no variant '%s'; there are %s".formatted(variant, String.join(", ", variants)));
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        TrialSettings settings = settings();
        Experiment experiment = Experiments.read(name, settings);
        checkVariants(experiment);
        Path folder = out == null ? ResultFolder.byTime() : out;
        ResultFolder.check(folder);
        try {
            Path home = Quickstart.home();
            if (home == null) {
                throw new LoadFailure("Experiments start the programs of the distribution: use its bin/talos-loadgen");
            }
            Path libs = experiment.needsKit(settings) ? BenchmarkLibs.find(kit, home) : null;
            return run(experiment, settings, new Programs(home, libs), folder);
        } catch (IOException e) {
            throw new LoadFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private int run(Experiment experiment, TrialSettings settings, Programs programs, Path folder) throws IOException {
        Thread runner = Thread.currentThread();
        ShutdownGate gate = ShutdownGate.closed(
                () -> {
                    programs.interrupt();
                    runner.interrupt();
                },
                SHUTDOWN_TIMEOUT);
        Path work = workDirectory == null
                ? Files.createTempDirectory("talos-experiment-")
                : Files.createTempDirectory(workDirectory.toAbsolutePath(), "talos-experiment-");
        try {
            TrialEnvironment environment = new TrialEnvironment(
                    settings,
                    only,
                    programs,
                    work,
                    folder,
                    Progress.to(spec.commandLine().getErr()),
                    spec.commandLine().getOut());
            return new ComparisonRun(experiment, environment).run();
        } finally {
            programs.endAll();
            Directories.delete(work);
            gate.open();
        }
    }
}
