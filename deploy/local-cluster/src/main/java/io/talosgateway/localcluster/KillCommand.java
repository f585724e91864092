package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.Set;

import picocli.CommandLine.Command;

/** {@code kill HOST}. */
@Command(
        name = "kill",
        description = {
            "Kills a host: SIGKILL, as in a crash.",
            "What the host had acknowledged must be there when it is started again. 'all' kills all at the same time."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Examples:", "  local-cluster.sh kill gateway-1", "  local-cluster.sh kill all"})
final class KillCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        kill(target);
    }

    @Override
    void runAll(ClusterFolder folder, RunningCluster cluster) throws IOException, InterruptedException {
        Set<String> killed = new ClusterHosts(cluster, folder).killAll();
        say("Killed: " + (killed.isEmpty() ? "nothing ran" : String.join(", ", killed)));
    }
}
