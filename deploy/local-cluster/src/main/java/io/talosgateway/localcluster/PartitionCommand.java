package io.talosgateway.localcluster;

import picocli.CommandLine.Command;

/** {@code partition HOST}. */
@Command(
        name = "partition",
        description = {
            "Cuts a gateway off from all others, and from you, as if its cable were pulled: it runs on, and its connections "
                    + "stay open, but nothing comes through. 'heal' connects it again.",
            "Needs a cluster that was brought up with --networks; else exit status 3. 'pause' comes closest then: the host "
                    + "answers nobody, and its connections stay open."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh partition gateway-1", "  local-cluster.sh heal gateway-1"})
final class PartitionCommand extends NetworkCommand {

    @Override
    void run(Target target, Network network) throws InterruptedException {
        new Networks(target.cluster()).setConnected(network, target.host(), false);
        say("%s is cut off from all others; 'heal %s' connects it again".formatted(target.host(), target.host()));
    }
}
