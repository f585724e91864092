package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Command;

/** {@code restart HOST}. */
@Command(
        name = "restart",
        description = {"Stops a host, as 'stop' does, starts it again, and waits until it is ready."},
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh restart datanode-2"})
final class RestartCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        refusePartitioned(target);
        stop(target);
        start(target);
    }
}
