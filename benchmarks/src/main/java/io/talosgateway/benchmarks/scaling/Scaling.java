package io.talosgateway.benchmarks.scaling;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
    private CommandSpec spec;

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

    @Mixin
    private Costs costs = new Costs();

    public static void main(String[] arguments) {
        System.exit(CommandLines.of(new Scaling(), e -> false).execute(arguments));
    }

    @Override
    public Integer call() {
        Progress progress = Progress.to(spec.commandLine().getErr());
        List<Scenario> scenarios = new ArrayList<>();
        for (TopicSet set : List.of(
                TopicSet.even(topics, 100, seed),
                TopicSet.skewed(topics * 100, seed),
                TopicSet.even(topics * 100 / hosts, hosts, seed))) {
            scenarios.addAll(scenarios(set, progress));
        }
        progress.say("Working out take-overs");
        List<Load> loads = loads();
        List<Load> byFiles =
                loads.stream().sorted(Comparator.comparing(Load::journalFiles)).toList();
        double beforeMs = SESSION_MS
                + Scenario.DELAYS.removalDelay().toMillis()
                + scenarios.get(0).mapMs();
        PrintWriter out = spec.commandLine().getOut();
        out.printf(
                "%n%s%n%s%n%s%n%s",
                Tables.moves(scenarios),
                Tables.zooKeeper(scenarios, costs),
                Tables.takeOvers(byFiles, lost, beforeMs, costs),
                Tables.loads(loads));
        out.flush();
        return 0;
    }

    private List<Scenario> scenarios(TopicSet set, Progress progress) {
        progress.say(set.name() + ": placing");
        Assignment first = new Assignment(set, Scenario.allPresent(hosts));
        Map<String, Consumer<Scenario>> happenings = new LinkedHashMap<>();
        happenings.put("one host is lost", scenario -> scenario.lose(1, seed));
        happenings.put(lost + " hosts are lost", scenario -> scenario.lose(lost, seed));
        happenings.put("one host joins", scenario -> scenario.join(1));
        happenings.put(
                "all restart, `wait`, %d at a time".formatted(atATime),
                scenario -> scenario.restartAll(atATime, Intent.RESTART));
        happenings.put(
                "all restart, `release`, %d at a time".formatted(atATime),
                scenario -> scenario.restartAll(atATime, Intent.LEAVE));
        List<Scenario> scenarios = new ArrayList<>();
        happenings.forEach((name, happening) -> {
            progress.say(set.name() + ": " + name);
            Scenario scenario = new Scenario(name, set, first, hosts);
            happening.accept(scenario);
            scenarios.add(scenario);
        });
        return scenarios;
    }

    private List<Load> loads() {
        List<Load> loads = new ArrayList<>(List.of(load(QUIET, PUT_BYTES, 1)));
        for (int bytes : MESSAGE_BYTES) {
            loads.add(load(messages, bytes, 1));
            if (bytes < PUT_BYTES) {
                loads.add(load(messages, bytes, PUT_BYTES / bytes));
            }
        }
        return loads;
    }

    private Load load(double perSecond, int bytes, int ofPut) {
        return new Load(hosts, topics * 100, lanes, perSecond, bytes, ofPut);
    }
}
