package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Command;

/** {@code partition HOST}: not possible for hosts that share loopback. */
@Command(
        name = "partition",
        description = {
            "Cuts a host off from all others. Needs a network of its own for each host, which this cluster does not have "
                    + "yet: exit status 3.",
            "'pause' comes closest: the host answers nobody, and its connections stay open."
        },
        mixinStandardHelpOptions = true)
class PartitionCommand extends OneHostCommand {

    private static final int NOT_POSSIBLE = 3;

    @Override
    final void run(Target target) {}

    @Override
    public final Integer call() throws IOException, InterruptedException {
        super.call();
        spec().commandLine()
                .getErr()
                .println(
                        "local-cluster.sh: The hosts share the loopback network, so none can be cut off from the others. "
                                + "'pause HOST' comes closest: it answers nobody, and its connections stay open");
        return NOT_POSSIBLE;
    }
}
