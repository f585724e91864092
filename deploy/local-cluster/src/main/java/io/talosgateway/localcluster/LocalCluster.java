package io.talosgateway.localcluster;

import java.io.IOException;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.QuickExit;
import io.talosgateway.rest.bootstrap.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code local-cluster.sh}. */
@Command(
        name = "local-cluster.sh",
        description = {
            "A whole cluster on this machine, to try out, to experiment with, and to break: ZooKeeper, an HDFS NameNode, "
                    + "DataNodes and gateways, each a process of its own, on loopback or, with --networks, the gateways in networks of their own.",
            "",
            "The hosts are called zookeeper, namenode, datanode-1, datanode-2, ..., gateway-1, gateway-2, ... They run on "
                    + "when a command has ended. All they have (data, logs, configurations, copies of the programs) is in "
                    + "one folder, data/local-cluster of the working copy; --dir names another one, and so another cluster."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = CommandLines.JarVersion.class,
        footer = {
            "",
            "For example:",
            "  local-cluster.sh up                  builds what is needed, and starts all",
            "  local-cluster.sh status              what every host does, and where it is",
            "  local-cluster.sh kill gateway-1      a crash; 'start gateway-1' brings it back",
            "  local-cluster.sh pause datanode-2    a host that hangs; 'resume' lets it go on",
            "  local-cluster.sh restart namenode    a planned restart",
            "  local-cluster.sh partition gateway-1 cuts it off, if the cluster is up with --networks; 'heal'",
            "  local-cluster.sh down                ends and deletes all",
            "",
            "In the folder:",
            "  cluster.properties    addresses and an administrator's key, for programs",
            "  curl.conf             the same key for curl: curl -K FILE URL",
            "  logs/HOST.log         what a host says",
            "",
            "Exit status: 0 done, 1 not done (one line says why), 2 wrong usage."
        })
public final class LocalCluster {

    private LocalCluster() {}

    public static void main(String[] arguments) {
        QuickExit.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        CommandSpec root = CommandSpec.forAnnotatedObject(new LocalCluster());
        // In the order of the help.
        add(root, new UpCommand(), new StatusCommand());
        add(root, ProcessCommands.class, "kill", "stop", "pause", "resume", "start", "restart");
        add(root, SurroundingsCommands.class, "partition", "heal", "shiftClock", "resetClock", "fill", "free");
        add(root, new DownCommand(), new HelpCommand());
        // A script may add its own --dir to what it was given.
        return CommandLines.of(root, LocalCluster::isExpected).setOverwrittenOptionsAllowed(true);
    }

    private static void add(CommandSpec root, Object... commands) {
        for (Object command : commands) {
            root.addSubcommand(null, CommandSpec.forAnnotatedObject(command));
        }
    }

    private static void add(CommandSpec root, Class<?> commands, String... methods) {
        for (String method : methods) {
            add(root, CommandLine.getCommandMethods(commands, method).toArray());
        }
    }

    /** What {@code local-cluster.sh} sets, by the end of the key. */
    static String property(String name) {
        String key = "talos.local-cluster." + name;
        String value = System.getProperty(key);
        if (value == null) {
            throw new ClusterFailure("Start me by local-cluster.sh: it sets " + key);
        }
        return value;
    }

    private static boolean isExpected(Exception e) {
        return e instanceof ClusterFailure || e instanceof ConfigException || e instanceof IOException;
    }
}
