package io.talosgateway.benchmarks.ideal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.talosgateway.benchmarks.ideal.Measurement.Variant;
import io.talosgateway.benchmarks.process.Directories;
import io.talosgateway.benchmarks.process.Distribution;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs gateway and ideal gateway in turn under the same load, and prints tables of what came of it. */
@Command(
        name = "ideal-gateway.sh",
        description = {
            "Compares the gateway with the least that a gateway on the same lanes can do, on HDFS with the same load: the "
                    + "variants run in turn, each with fresh processes and fresh data, and the medians of the rounds are "
                    + "printed in Markdown.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  ideal-gateway.sh",
            "  ideal-gateway.sh --rounds 1 --durability memory --seconds 5",
            "  ideal-gateway.sh --data-nodes 3 --set journal.lanes=4"
        })
public final class IdealComparison implements Callable<Integer> {

    private static final Logger log = LoggerFactory.getLogger(IdealComparison.class);
    /** What a second of load may write to one disk, generously. */
    private static final long BYTES_PER_SECOND = 600L << 20;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--durability",
            paramLabel = "LEVEL",
            split = ",",
            defaultValue = "memory,disk",
            description = "memory (hflush), disk (hsync) or both. Default: ${DEFAULT-VALUE}.")
    private List<String> durabilities = List.of();

    @Option(
            names = "--variants",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "floor,ideal,gateway",
            description = {
                "floor: the load generator against a handler that stores nothing.",
                "ideal: a bare handler on the gateway's lanes.",
                "gateway: bin/talos-gateway of the distribution.",
                "Default: ${DEFAULT-VALUE}."
            })
    private List<Variant> variants = List.of();

    @Option(names = "--producers", paramLabel = "N", defaultValue = "120", description = "Default: ${DEFAULT-VALUE}.")
    private int producers;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "120", description = "Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--size", paramLabel = "SIZE", defaultValue = "10KiB", description = "Default: ${DEFAULT-VALUE}.")
    private String size = "10KiB";

    @Option(
            names = "--warmup",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Load before anything counts. Default: ${DEFAULT-VALUE}.")
    private int warmupSeconds;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Load that counts. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--data-nodes", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private int dataNodes;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = "A configuration value of gateway and ideal gateway alike, such as journal.lanes=4. May be "
                    + "repeated.")
    private Map<String, String> values = new LinkedHashMap<>();

    @Option(
            names = "--server-java-opts",
            paramLabel = "OPTIONS",
            defaultValue = "-Xmx2g",
            description = "JVM options of both servers. Default: ${DEFAULT-VALUE}.")
    private String serverOptions = "-Xmx2g";

    @Option(
            names = "--work-directory",
            paramLabel = "DIR",
            description =
                    "An existing folder on the disk that HDFS is to use; what is made in it is deleted. Default: a "
                            + "temporary folder.")
    private @Nullable Path workDirectory;

    @Option(names = "--json", paramLabel = "FILE", description = "Write every single run to this file, too.")
    private @Nullable Path json;

    @Option(names = "--distribution", hidden = true, required = true)
    private Path distribution = Path.of("");

    @Option(names = "--benchmarks", hidden = true, required = true)
    private Path benchmarks = Path.of("");

    @Spec
    private CommandSpec spec;

    private volatile @Nullable ComparisonRun current;
    /** Whether the process is being ended, so that what fails now is no news. */
    private volatile boolean ending;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new IdealComparison())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(IdealComparison::failed)
                .execute(arguments));
    }

    private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (command.getCommand() instanceof IdealComparison comparison && comparison.ending) {
            return command.getCommandSpec().exitCodeOnExecutionException();
        }
        if (e instanceof IOException || e instanceof IllegalArgumentException) {
            command.getErr().println("ideal-gateway: " + e.getMessage());
            return command.getCommandSpec().exitCodeOnExecutionException();
        }
        throw e;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Installation installation =
                new Installation(new Distribution(distribution), benchmarks, List.of(serverOptions.split(" +")));
        LoadSettings settings = new LoadSettings(
                partitions,
                producers,
                size,
                Duration.ofSeconds(warmupSeconds),
                Duration.ofSeconds(seconds),
                dataNodes,
                values);
        Path work = workDirectory == null
                ? Files.createTempDirectory("talos-ideal-")
                : Files.createTempDirectory(workDirectory.toAbsolutePath(), "talos-ideal-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> clean(work), "clean"));
        checkSpace(work);
        List<Measurement> measurements = new ArrayList<>();
        for (String durability : durabilities) {
            for (int round = 1; round <= rounds; round++) {
                for (Variant variant : Variant.values()) {
                    // The floor has no durability: once is enough.
                    boolean again = variant == Variant.FLOOR && !durability.equals(durabilities.get(0));
                    if (variants.contains(variant) && !again) {
                        String level = variant == Variant.FLOOR ? null : durability;
                        measurements.add(measure(installation, settings, work, variant, level, round));
                    }
                }
            }
        }
        if (json != null) {
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(json.toFile(), measurements);
        }
        spec.commandLine().getOut().print(ComparisonTable.of(measurements));
        spec.commandLine().getOut().flush();
        return 0;
    }

    private void checkSpace(Path work) throws IOException {
        long needed = BYTES_PER_SECOND * (warmupSeconds + seconds) * dataNodes;
        long usable = Files.getFileStore(work).getUsableSpace();
        if (usable < needed) {
            throw new IOException(
                    "%s has %d GiB free, and a run may write %d GiB. Name another folder with --work-directory, or use fewer --seconds."
                            .formatted(work, usable >> 30, needed >> 30));
        }
    }

    private Measurement measure(
            Installation installation,
            LoadSettings settings,
            Path work,
            Variant variant,
            @Nullable String durability,
            int round)
            throws IOException, InterruptedException {
        String name = "%s%s, round %d".formatted(variant.text(), durability == null ? "" : ", " + durability, round);
        spec.commandLine().getErr().println(name);
        try (ComparisonRun run =
                new ComparisonRun(installation, settings, work.resolve(name.replaceAll("[^a-z0-9]+", "-")))) {
            current = run;
            Measurement measurement = run.measure(variant, durability, round);
            spec.commandLine()
                    .getErr()
                    .printf(
                            "  %,.0f puts/s, mean %.2f ms, P99 %.1f ms, %d errors%n",
                            measurement.putsPerSecond(),
                            measurement.meanMs(),
                            measurement.p99Ms(),
                            measurement.errors());
            return measurement;
        } finally {
            current = null;
        }
    }

    /** Whatever way this process ends. */
    private void clean(Path work) {
        ending = true;
        try {
            ComparisonRun run = current;
            if (run != null) {
                run.close();
            }
            Directories.delete(work);
        } catch (IOException e) {
            log.warn("Cleaning up was not possible: {}", e.toString());
        }
    }
}
