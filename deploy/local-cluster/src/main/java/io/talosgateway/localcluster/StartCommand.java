package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Command;

/** {@code start HOST}. */
@Command(
        name = "start",
        description = {
            "Starts a host that is down, at its address and with its data, and waits until it is ready.",
            "Ready is a gateway whose /health/ready says so, a DataNode that is registered, a NameNode that is out of "
                    + "safe mode, a ZooKeeper that answers."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh start gateway-1"})
final class StartCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        start(target);
    }
}
