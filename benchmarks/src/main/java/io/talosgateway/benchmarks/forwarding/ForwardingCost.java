package io.talosgateway.benchmarks.forwarding;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Puts to owners and to hosts that are not, in turns. */
@Command(
        name = "forwarding.sh",
        description = {
            "Puts to a cluster, each message to the owner of its partition, and then to another host, which hands it on; in "
                    + "turns, several times. Prints how long puts took and how many there were.",
            "With --freeze, it puts by way of hosts that do not own the partition, in turns while all is well and while one "
                    + "host is stopped (SIGSTOP) and as many producers more want to put to it by way of the others: what "
                    + "puts to the others take should not change.",
            "Needs a cluster that runs: deploy/local-cluster.sh up",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  forwarding.sh",
            "  forwarding.sh --producers 32 --size 1024",
            "  forwarding.sh --freeze gateway-4 --seconds 5"
        })
public final class ForwardingCost implements Callable<Integer> {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--cluster",
            paramLabel = "DIR",
            defaultValue = "data/local-cluster",
            description = "Folder of the cluster. Default: ${DEFAULT-VALUE}.")
    private Path cluster = Path.of("");

    @Option(
            names = "--producers",
            paramLabel = "N",
            defaultValue = "8",
            description = "Threads that put, one message at a time. Default: ${DEFAULT-VALUE}.")
    private int producers;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "24",
            description = "Partitions of the topic. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            defaultValue = "10240",
            description = "Size of a message. Default: ${DEFAULT-VALUE}.")
    private int size;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "10",
            description = "Of each turn. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--turns",
            paramLabel = "N",
            defaultValue = "5",
            description = "Of each way; the first of each, to warm up, is not counted. Default: ${DEFAULT-VALUE}.")
    private int turns;

    @Option(
            names = "--freeze",
            paramLabel = "HOST",
            description = "Gateway to stop; --seconds must be less than its ZooKeeper session's timeout.")
    private String freeze = "";

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new ForwardingCost()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        if (producers < 1 || partitions < 1 || size < 1 || seconds < 1 || turns < 2) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "All numbers must be positive, and --turns at least 2.");
        }
        try {
            ClusterRoutes routes = ClusterRoutes.of(cluster, partitions);
            List<PutTurn.Result> first = new ArrayList<>();
            List<PutTurn.Result> second = new ArrayList<>();
            for (int turn = 0; turn < turns; turn++) {
                if (freeze.isEmpty()) {
                    first.add(take("to the owner", routes.toOwners(), List.of()));
                    second.add(take("to another host", routes.toOthers(), List.of()));
                } else {
                    first.add(take("all well", routes.without(freeze), List.of()));
                    routes.pause(freeze);
                    try {
                        second.add(take(freeze + " frozen", routes.without(freeze), routes.toOwnedBy(freeze)));
                    } finally {
                        routes.resume(freeze);
                    }
                }
            }
            spec.commandLine()
                    .getOut()
                    .print(ForwardingTable.of(names(), first.subList(1, turns), second.subList(1, turns)));
            spec.commandLine().getOut().flush();
            return 0;
        } catch (NoSuchFileException e) {
            spec.commandLine()
                    .getErr()
                    .println("There is no cluster in " + cluster + ": start one with deploy/local-cluster.sh up");
            return 1;
        } catch (ExecutionException | IOException e) {
            spec.commandLine().getErr().println("The cluster does not answer: " + e.getMessage());
            return 1;
        }
    }

    private List<String> names() {
        return freeze.isEmpty() ? List.of("to the owner", "to another host") : List.of("all well", freeze + " frozen");
    }

    private PutTurn.Result take(String name, List<PutTurn.Route> routes, List<PutTurn.Route> disturbance)
            throws InterruptedException {
        PutTurn.Result result = new PutTurn(routes, disturbance, producers, size, seconds).take();
        spec.commandLine().getErr().printf("%s: %.0f puts/s%n", name, result.putsPerSecond());
        return result;
    }
}
