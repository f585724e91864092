package io.talosgateway.benchmarks.scaling;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Works out what a large cluster costs when hosts come and go. */
@Command(
        name = "scaling.sh",
        description = {
            "Runs the gateway's own placement, controller and ownership records for a large cluster in one process: a host is "
                    + "lost, fifty are, one joins, all are restarted. Counts what moves and what ZooKeeper and the NameNode are "
                    + "asked for, and works out from stated costs how long that takes, and what 40 million messages a second mean.",
            "The same seed gives the same counts. Takes some minutes.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  scaling.sh", "  scaling.sh --hosts 100 --topics 1000"})
public final class Scaling implements Callable<Integer> {

    private static final int[] MESSAGE_BYTES = {100, 1024, 10 * 1024};
    /** Messages a second of a cluster whose files are rolled by age. */
    private static final double QUIET = 1000;

    private static final int PUT_BYTES = 10 * 1024;
    /** Session timeout, and at most a tick of the controller: the gateway's defaults. */
    private static final double SESSION_MS = 10_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--hosts", paramLabel = "N", defaultValue = "1000", description = "Default: ${DEFAULT-VALUE}.")
    private int hosts;

    @Option(
            names = "--topics",
            paramLabel = "N",
            defaultValue = "10000",
            description =
                    "Of 100 partitions each, and sets of other sizes with as many partitions. Default: ${DEFAULT-VALUE}.")
    private int topics;

    @Option(names = "--lanes", paramLabel = "N", defaultValue = "4", description = "Default: ${DEFAULT-VALUE}.")
    private int lanes;

    @Option(names = "--lost", paramLabel = "N", defaultValue = "50", description = "Default: ${DEFAULT-VALUE}.")
    private int lost;

    @Option(
            names = "--at-a-time",
            paramLabel = "N",
            defaultValue = "10",
            description = "Hosts of a rolling restart. Default: ${DEFAULT-VALUE}.")
    private int atATime;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "40000000",
            description = "A second. Default: ${DEFAULT-VALUE}.")
    private double messages;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--zookeeper-writes",
            paramLabel = "N",
            defaultValue = "18000",
            description = "Transactions that ZooKeeper takes in a second. Default: ${DEFAULT-VALUE}.")
    private double zooKeeperWrites;

    @Option(
            names = "--zookeeper-reads",
            paramLabel = "N",
            defaultValue = "165000",
            description = "That it answers in a second. Default: ${DEFAULT-VALUE}.")
    private double zooKeeperReads;

    @Option(
            names = "--namenode-reads",
            paramLabel = "N",
            defaultValue = "126000",
            description = "Calls that look, which the NameNode answers in a second. Default: ${DEFAULT-VALUE}.")
    private double nameNodeReads;

    @Option(
            names = "--namenode-writes",
            paramLabel = "N",
            defaultValue = "5600",
            description = "Calls that change something. Default: ${DEFAULT-VALUE}.")
    private double nameNodeWrites;

    @Option(
            names = "--network-mb",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Megabytes that a host receives in a second. Default: ${DEFAULT-VALUE}.")
    private double networkMegabytes;

    @Option(
            names = "--footer-ms",
            paramLabel = "MS",
            defaultValue = "3",
            description = "To open a file and read its footer. Default: ${DEFAULT-VALUE}.")
    private double footerMs;

    @Option(
            names = "--fence-ms",
            paramLabel = "MS",
            defaultValue = "3000",
            description = "To recover the lease of a file. Default: ${DEFAULT-VALUE}.")
    private double fenceMs;

    @Option(
            names = "--create-ms",
            paramLabel = "MS",
            defaultValue = "20",
            description = "To make a small file. Default: ${DEFAULT-VALUE}.")
    private double createMs;

    @Option(
            names = "--scan-mb",
            paramLabel = "N",
            defaultValue = "200",
            description = "Megabytes of a file without footer read in a second. Default: ${DEFAULT-VALUE}.")
    private double scanMegabytes;

    public static void main(String[] arguments) {
        System.exit(CommandLines.of(new Scaling(), e -> false).execute(arguments));
    }

    @Override
    public Integer call() {
        PrintWriter out = spec().commandLine().getOut();
        out.print(simulated(new Progress(spec().commandLine().getErr())));
        out.flush();
        return 0;
    }

    private CommandSpec spec() {
        if (spec == null) {
            throw new IllegalStateException("run by picocli");
        }
        return spec;
    }

    private String simulated(Progress progress) {
        Costs costs = costs();
        List<TopicSet> sets = List.of(
                TopicSet.even(topics, 100, seed),
                TopicSet.skewed(topics * 100, seed),
                TopicSet.even(topics * 100 / hosts, hosts, seed));
        List<Outcome> outcomes = new ArrayList<>();
        for (TopicSet set : sets) {
            outcomes.addAll(outcomes(set, progress));
        }
        List<Load> loads = new ArrayList<>(List.of(new Load(hosts, topics * 100, lanes, QUIET, PUT_BYTES, 1)));
        for (int bytes : MESSAGE_BYTES) {
            loads.add(load(bytes, 1));
            if (bytes < PUT_BYTES) {
                loads.add(load(bytes, PUT_BYTES / bytes));
            }
        }
        progress.begin("Working out take-overs");
        return "%n%s%n%s%n%s%n%s"
                .formatted(
                        Tables.moves(outcomes),
                        Tables.zooKeeper(outcomes, costs),
                        Tables.takeOvers(takeOvers(costs, loads, outcomes)),
                        Tables.loads(loads));
    }

    private Load load(int bytes, int ofPut) {
        return new Load(hosts, topics * 100, lanes, messages, bytes, ofPut);
    }

    private Costs costs() {
        return new Costs(
                zooKeeperWrites,
                zooKeeperReads,
                nameNodeReads,
                nameNodeWrites,
                networkMegabytes * 1e6,
                footerMs,
                fenceMs,
                createMs,
                scanMegabytes * 1e6);
    }

    private List<Outcome> outcomes(TopicSet set, Progress progress) {
        List<Outcome> outcomes = new ArrayList<>();
        progress.begin(set.name() + ": placing");
        SimulatedController start = new SimulatedController(hosts, Scenario.DELAYS, new ZooKeeperUse());
        Assignment first = Assignment.of(set, start.placement());
        Map<String, Happening> happenings = new LinkedHashMap<>();
        happenings.put("one host is lost", scenario -> scenario.lose(1, seed));
        happenings.put(lost + " hosts are lost", scenario -> scenario.lose(lost, seed));
        happenings.put("one host joins", scenario -> scenario.join(1));
        happenings.put(
                "all restart, `wait`, %d at a time".formatted(atATime),
                scenario -> scenario.restartAll(atATime, Intent.RESTART, progress));
        happenings.put(
                "all restart, `release`, %d at a time".formatted(atATime),
                scenario -> scenario.restartAll(atATime, Intent.LEAVE, progress));
        happenings.forEach((name, happening) -> {
            progress.begin(set.name() + ": " + name);
            Scenario scenario = new Scenario(set, first, hosts);
            happening.happenTo(scenario);
            outcomes.add(scenario.outcome(name));
        });
        return outcomes;
    }

    private interface Happening {
        void happenTo(Scenario scenario);
    }

    private List<Tables.TakeOver> takeOvers(Costs costs, List<Load> loads, List<Outcome> outcomes) {
        double mapMs = outcomes.get(0).mapMs();
        double beforeMs = SESSION_MS + Scenario.DELAYS.removalDelay().toMillis() + mapMs;
        List<Tables.TakeOver> runs = new ArrayList<>();
        List<Load> byFiles = new ArrayList<>(loads);
        byFiles.sort(Comparator.comparing(Load::journalFiles));
        for (Load load : byFiles) {
            for (int gone : new int[] {1, lost}) {
                double taken = (double) load.partitions() / hosts / (hosts - gone);
                LostJournal left = LostJournal.of(load, taken, false);
                LostJournal keyed = LostJournal.of(load, taken, true);
                runs.add(new Tables.TakeOver(
                        gone,
                        load,
                        left,
                        beforeMs,
                        load.takenIndexBytes(gone * taken),
                        new TakeOverRun(costs, left).run(gone, hosts - gone),
                        new TakeOverRun(costs, keyed).run(gone, hosts - gone)));
            }
        }
        return runs;
    }
}
