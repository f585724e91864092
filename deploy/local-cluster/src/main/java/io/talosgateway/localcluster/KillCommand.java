package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Command;

/** {@code kill HOST}. */
@Command(
        name = "kill",
        description = {
            "Kills a host: SIGKILL, as in a crash.",
            "What the host had acknowledged must be there when it is started again."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh kill gateway-1"})
final class KillCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        kill(target);
    }
}
