package io.talosgateway.benchmarks.selection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.scheduler.WheelTimer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Offers the same load to pools of many sizes and both policies, and prints two tables. */
@Command(
        name = "thread-selection.sh",
        description = {
            "Shows why a pool that gives a key to its least-loaded thread needs fewer threads than one that goes by the key's "
                    + "hash: offers both the same load, with pools of many sizes, and prints the medians in Markdown.",
            "A task computes a little and then waits, as a put that is written and synced by its thread.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  thread-selection.sh", "  thread-selection.sh --threads 16,200 --rounds 1"})
public final class ThreadSelection implements Callable<Integer> {

    @Option(
            names = "--threads",
            paramLabel = "N",
            split = ",",
            defaultValue = "16,24,32,64,100,200,400,800",
            description = "Default: ${DEFAULT-VALUE}. The second table is for 200, or the largest.")
    private List<Integer> threads = List.of();

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3", description = "Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "4000",
            description = "Tasks a second. Default: ${DEFAULT-VALUE}.")
    private int rate;

    @Option(names = "--keys", paramLabel = "N", defaultValue = "1200", description = "Default: ${DEFAULT-VALUE}.")
    private int keys;

    @Option(
            names = "--wait-ms",
            paramLabel = "MS",
            defaultValue = "3",
            description = "Mean time that a task waits. Default: ${DEFAULT-VALUE}.")
    private double waitMs;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Of each run, after 2 of warm-up. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "Where the tables go. Default: standard output.")
    private @Nullable Path out;

    @Spec
    private CommandSpec spec;

    public static void main(String[] arguments) {
        System.exit(CommandLines.of(new ThreadSelection(), IllegalArgumentException.class::isInstance)
                .execute(arguments));
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        check(!threads.isEmpty() && threads.stream().allMatch(size -> size >= 1), "--threads must be 1 or more");
        check(
                rounds >= 1 && rate >= 1 && keys >= 1 && seconds >= 1,
                "--rounds, --rate, --keys and --seconds must be 1 or more");
        check(waitMs >= 0, "--wait-ms must not be negative");
        List<Selection> runs = new ArrayList<>();
        int total = rounds * threads.size() * Policy.values().length;
        try (WheelTimer timer = new WheelTimer("timer", System::nanoTime).start()) {
            for (int round = 0; round < rounds; round++) {
                for (int size : threads) {
                    for (Policy policy : Policy.values()) {
                        spec.commandLine()
                                .getErr()
                                .printf("%d of %d: %s, %d threads%n", runs.size() + 1, total, policy.text(), size);
                        Load load = new Load(rate, keys, waitMs, 10_000, 2, seconds, seed + round);
                        runs.add(new SelectionRun(policy, size, load, timer).measure());
                    }
                }
            }
        }
        int one = threads.contains(200)
                ? 200
                : threads.stream().mapToInt(Integer::intValue).max().orElseThrow();
        show(SelectionTables.byThreads(runs) + "\n" + SelectionTables.distribution(runs, one));
        return 0;
    }

    private void show(String tables) {
        if (out == null) {
            spec.commandLine().getOut().print(tables);
            spec.commandLine().getOut().flush();
            return;
        }
        try {
            Files.writeString(out, tables);
        } catch (IOException e) {
            throw new IllegalArgumentException("--out: cannot write to " + out, e);
        }
    }
}
