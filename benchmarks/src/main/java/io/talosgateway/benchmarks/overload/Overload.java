package io.talosgateway.benchmarks.overload;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.measure.MetricsPage;
import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.loadgen.process.Distribution;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Offers a gateway several times what it can store, and looks whether it goes on storing, refuses in time, and stays small. */
@Command(
        name = "overload.sh",
        description = {
            "Offers a gateway several times what it can store. It should go on storing, at 90 % of its peak or more, tell "
                    + "every put that it cannot store so before its time is over, and not grow.",
            "The gateway has one lane, which commits two puts at a time, on a disk that is made slow. So the storage is the "
                    + "limit, not the cores, and a load generator on the same machine can offer several times as much.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:it is as it should be", "1:it is not, or the run failed"},
        footer = {"", "Examples:", "  overload.sh", "  overload.sh --seconds 20 --factor 3"})
public final class Overload implements Callable<Integer> {

    private static final Logger log = LoggerFactory.getLogger(Overload.class);

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String PARTITIONS = "120";
    private static final String SIZE = "1KiB";

    @Option(names = "--distribution", hidden = true, required = true)
    private Path distribution = Path.of("");

    @Option(names = "--factor", paramLabel = "N", defaultValue = "5", description = "Default: ${DEFAULT-VALUE}.")
    private double factor;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "Of overload, after 10 to fill the queues. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--timeout-ms",
            paramLabel = "MS",
            defaultValue = "200",
            description = "What each put has. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    @Option(
            names = "--producers",
            paramLabel = "N",
            defaultValue = "400",
            description = "Connections that the load comes from. Default: ${DEFAULT-VALUE}.")
    private int producers;

    @Option(
            names = "--sync-ms",
            paramLabel = "MS",
            defaultValue = "2",
            description = "What a sync takes longer than the disk. Default: ${DEFAULT-VALUE}.")
    private int syncMs;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description = "A configuration value of the gateway. May be repeated.")
    private Map<String, String> values = new LinkedHashMap<>();

    @Option(
            names = "--server-java-opts",
            paramLabel = "OPTIONS",
            defaultValue = "-Xms512m -Xmx512m -XX:+AlwaysPreTouch",
            description = "Default: ${DEFAULT-VALUE}.")
    private String serverOptions = "";

    @Spec
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(
                CommandLines.of(new Overload(), e -> e instanceof IOException || e instanceof IllegalArgumentException)
                        .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Distribution programs = new Distribution(distribution);
        Path work = Files.createTempDirectory("talos-overload-");
        Map<String, String> settings = new LinkedHashMap<>(Map.of(
                "data.directory",
                work.resolve("gateway").toString(),
                "http.port",
                "0",
                "ops.port",
                "0",
                "journal.lanes",
                "1",
                "journal.max-group-puts",
                "2",
                "hadoop.fs.file.impl",
                SlowFileSystem.class.getName(),
                "hadoop." + SlowFileSystem.SYNC_MS,
                Integer.toString(syncMs)));
        settings.putAll(values);
        try (ChildProcess gateway = gateway(settings)) {
            // Whatever way this process ends.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> clean(gateway, work), "clean"));
            Matcher serves = gateway.awaitLine(Distribution.SERVES, PATIENCE);
            OverloadResult result = measure(programs, serves.group(1), serves.group(2), work);
            PrintWriter out = spec.commandLine().getOut();
            out.print(result.table());
            List<String> violations = result.violations();
            violations.forEach(violation -> out.println("Not as it should be: " + violation));
            out.flush();
            return violations.isEmpty() ? 0 : 1;
        }
    }

    private static void clean(ChildProcess gateway, Path work) {
        gateway.close();
        try {
            Directories.delete(work);
        } catch (IOException e) {
            log.warn("Cleaning up was not possible: {}", e.toString());
        }
    }

    /** The gateway of the distribution, with the slow disk beside its libraries. */
    private ChildProcess gateway(Map<String, String> settings) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Distribution.java(), "-Dlogback.configurationFile=" + distribution.resolve("conf/logback.xml")));
        command.addAll(List.of(serverOptions.split(" +")));
        command.addAll(List.of(
                "-cp",
                Distribution.jarOf(Overload.class) + ":" + distribution.resolve("lib") + "/*",
                "io.talosgateway.cli.TalosGateway",
                "server"));
        command.addAll(Distribution.arguments(settings));
        return ChildProcess.start("gateway", command, Map.of());
    }

    private OverloadResult measure(Distribution programs, String endpoint, String operations, Path work)
            throws IOException, InterruptedException {
        say("Looking for the peak: 64 producers in a closed loop");
        JsonNode peakPut = load(programs, endpoint, work, List.of("--put-threads", "64", "--warmup", "10s"), 10, null)
                .path("put");
        double peak = peakPut.path("perSecond").asDouble();
        long offered = Math.round(factor * peak);
        say("The peak is %,.0f puts/s; offering %,d for %d s".formatted(peak, offered, seconds));
        List<Long> memory = new ArrayList<>();
        JsonNode put = load(
                        programs,
                        endpoint,
                        work,
                        List.of(
                                "--put-threads",
                                Integer.toString(producers),
                                "--put-rate",
                                Long.toString(offered),
                                "--timeout",
                                timeoutMs + "ms",
                                "--warmup",
                                "10s"),
                        seconds,
                        () -> memory.add((long) MetricsPage.read(URI.create(operations))
                                        .value("process_resident_memory_bytes")
                                        .orElse(0)
                                >> 20))
                .path("put");
        Map<String, Long> refused = new LinkedHashMap<>();
        for (JsonNode error : put.path("errorsByKind")) {
            refused.put(
                    error.path("status").asInt() + " " + error.path("code").asText(),
                    error.path("count").asLong());
        }
        return new OverloadResult(
                peak,
                offered,
                put.path("perSecond").asDouble(),
                timeoutMs,
                refused,
                put.path("refusedP999Ms").asDouble(),
                memory);
    }

    /** Something that is done every second of a load. */
    private interface Sample {
        void take() throws IOException, InterruptedException;
    }

    private static JsonNode load(
            Distribution programs,
            String endpoint,
            Path work,
            List<String> options,
            int loadSeconds,
            @Nullable Sample sample)
            throws IOException, InterruptedException {
        Path json = work.resolve("load.json");
        List<String> arguments = new ArrayList<>(List.of(
                "--endpoint",
                endpoint,
                "--key-file",
                work.resolve("gateway/keys.json").toString(),
                "--partitions",
                PARTITIONS,
                "--size",
                SIZE,
                "--duration",
                loadSeconds + "s",
                "--json",
                json.toString()));
        arguments.addAll(options);
        try (ChildProcess load = programs.loadgen(arguments)) {
            load.awaitLine(Distribution.WARM, PATIENCE);
            for (int second = 0; second < loadSeconds && sample != null; second++) {
                sample.take();
                Thread.sleep(1_000);
            }
            load.awaitSuccess(PATIENCE);
        }
        return new ObjectMapper().readTree(json.toFile());
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
    }
}
