package io.talosgateway.localcluster;

import picocli.CommandLine.Command;

/** {@code heal HOST}. */
@Command(
        name = "heal",
        description = {
            "Connects a gateway again that 'partition' cut off; of one that is connected, says so.",
            "Without --networks: exit status 3, as of 'partition'."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh heal gateway-1"})
final class HealCommand extends NetworkCommand {

    @Override
    void run(Target target, Network network) throws InterruptedException {
        new Networks(target.cluster()).setConnected(network, target.host(), true);
        say("%s is connected".formatted(target.host()));
    }
}
