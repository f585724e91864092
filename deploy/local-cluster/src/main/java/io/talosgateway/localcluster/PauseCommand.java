package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Command;

/** {@code pause HOST}. */
@Command(
        name = "pause",
        description = {
            "Pauses a host: SIGSTOP. Its connections stay open, but it does nothing, like a machine that hangs.",
            "To the others it is alive until their patience ends: ZooKeeper ends a gateway's session after "
                    + "zookeeper.session-timeout (10 s)."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh pause gateway-1", "  local-cluster.sh resume gateway-1"})
final class PauseCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        SystemProcess process = target.process();
        if (process.stopped()) {
            throw new ClusterFailure(
                    "%s is paused already; 'resume %s' lets it go on".formatted(target.host(), target.host()));
        }
        send(target, process, Signal.STOP, "pause");
        say("%s is paused (process %d); 'resume %s' lets it go on"
                .formatted(target.host(), process.pid(), target.host()));
    }
}
