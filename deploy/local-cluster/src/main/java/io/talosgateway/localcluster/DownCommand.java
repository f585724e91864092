package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code down}: ends the cluster. */
@Command(
        name = "down",
        description = {
            "Ends all hosts, and deletes what they had: data, logs, keys, all that 'up' made in the folder, and networks.",
            "To go on with it later, 'kill all' instead, and then 'up'."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh down"})
final class DownCommand implements Callable<Integer> {

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public Integer call() throws IOException, InterruptedException {
        ClusterFolder folder = options.folder();
        folder.readExisting();
        folder.locked(() -> down(options.hosts()));
        options.say("Down; nothing of it is left");
        return 0;
    }

    private void down(ClusterHosts hosts) throws IOException, InterruptedException {
        Set<String> killed = hosts.killAll();
        if (!killed.isEmpty()) {
            options.say("  killed " + String.join(", ", killed));
        }
        new Networks(hosts.cluster()).remove();
        hosts.folder().delete();
    }
}
