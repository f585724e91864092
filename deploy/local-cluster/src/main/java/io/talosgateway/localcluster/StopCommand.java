package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Command;

/** {@code stop HOST}. */
@Command(
        name = "stop",
        description = {
            "Stops a host: SIGTERM, and waits for the clean end.",
            "A gateway finishes its requests and seals its files before it ends."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh stop gateway-1"})
final class StopCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        stop(target);
    }
}
