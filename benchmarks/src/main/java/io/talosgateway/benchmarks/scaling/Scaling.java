package io.talosgateway.benchmarks.scaling;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import io.talosgateway.loadgen.chart.Table;
import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Counts what moves in a large cluster, and what ZooKeeper is asked for, when hosts come and go. */
@Command(
        name = "scaling.sh",
        description = {
            "Runs the gateway's own placement, controller and ownership records for a large cluster in one process: a host is "
                    + "lost, fifty are, one joins, all are restarted. Counts what moves and what ZooKeeper is asked for.",
            "The same seed gives the same counts. Takes some minutes.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  scaling.sh", "  scaling.sh --hosts 100 --topics 1000"})
public final class Scaling implements Callable<Integer> {

    private static final double MB = 1e6;
    private static final double GB = 1e9;

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

    @Option(names = "--lost", paramLabel = "N", defaultValue = "50", description = "Default: ${DEFAULT-VALUE}.")
    private int lost;

    @Option(
            names = "--at-a-time",
            paramLabel = "N",
            defaultValue = "10",
            description = "Hosts of a rolling restart. Default: ${DEFAULT-VALUE}.")
    private int atATime;

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

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Default: ${DEFAULT-VALUE}.")
    private long seed;

    // The results, in Markdown.
    private final Table moves = new Table(
            "",
            "llr",
            List.of(
                    "event",
                    "topics",
                    "partitions moved",
                    "needed",
                    "moved / needed",
                    "most moves to one host",
                    "max / mean after",
                    "P99 / mean after",
                    "worst topic, by its share",
                    "placement, CPU ms"));
    private final Table zooKeeper = new Table(
            "",
            "llr",
            List.of(
                    "event",
                    "topics",
                    "transactions",
                    "nodes written",
                    "MB written",
                    "nodes read",
                    "GB read",
                    "watch events",
                    "`/placement`, bytes",
                    "ensemble busy, s",
                    "journals of one partition, most",
                    "MB of all ownership records"));

    public static void main(String[] arguments) {
        System.exit(CommandLines.of(new Scaling(), e -> false).execute(arguments));
    }

    @Override
    public Integer call() {
        Map<String, Consumer<Scenario>> events = new LinkedHashMap<>();
        events.put("one host is lost", scenario -> scenario.lose(1, seed));
        events.put(lost + " hosts are lost", scenario -> scenario.lose(lost, seed));
        events.put("one host joins", scenario -> scenario.join(1));
        events.put(
                "all restart, `wait`, %d at a time".formatted(atATime),
                scenario -> scenario.restartAll(atATime, Intent.RESTART));
        events.put(
                "all restart, `release`, %d at a time".formatted(atATime),
                scenario -> scenario.restartAll(atATime, Intent.LEAVE));
        Progress progress = Progress.to(spec.commandLine().getErr());
        for (TopicSet set : List.of(
                TopicSet.even(topics, 100, seed),
                TopicSet.skewed(topics * 100, seed),
                TopicSet.even(topics * 100 / hosts, hosts, seed))) {
            progress.say(set.name() + ": placing");
            Assignment first = new Assignment(set, Scenario.allPresent(hosts));
            events.forEach((event, happening) -> {
                progress.say(set.name() + ": " + event);
                Scenario scenario = new Scenario(set, first, hosts);
                happening.accept(scenario);
                add(event, set.name(), scenario);
            });
        }
        spec.commandLine().getOut().printf("%n%s%n%s", moves.toMarkdown(), zooKeeper.toMarkdown());
        spec.commandLine().getOut().flush();
        return 0;
    }

    private void add(String event, String set, Scenario scenario) {
        OwnershipState ownership = scenario.ownership();
        Assignment.Balance after = scenario.balance();
        moves.add(
                event,
                set,
                "%,d".formatted(ownership.moved),
                "%,d".formatted(ownership.needed),
                "%.2f×".formatted(ownership.needed == 0 ? 1 : (double) ownership.moved / ownership.needed),
                "%,d".formatted(ownership.most),
                "%.2f".formatted(after.most()),
                "%.2f".formatted(after.p99()),
                "%.1f".formatted(after.worstTopic()),
                "%.0f".formatted(scenario.mapMs()));
        ZooKeeperUse use = scenario.zooKeeper();
        zooKeeper.add(
                event,
                set,
                "%,d".formatted(use.transactions),
                "%,d".formatted(use.records),
                "%,.1f".formatted(use.bytesWritten / MB),
                "%,d".formatted(use.reads),
                "%,.2f".formatted(use.bytesRead / GB),
                "%,d".formatted(use.events),
                "%,d".formatted(scenario.placementBytes()),
                "%,.1f".formatted(use.transactions / zooKeeperWrites + use.reads / zooKeeperReads),
                "%d".formatted(ownership.mostJournals()),
                "%,.0f".formatted(ownership.bytes() / MB));
    }
}
