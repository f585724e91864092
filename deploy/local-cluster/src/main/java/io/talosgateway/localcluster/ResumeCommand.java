package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Command;

/** {@code resume HOST}. */
@Command(
        name = "resume",
        description = {"Lets a paused host go on: SIGCONT."},
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh resume gateway-1"})
final class ResumeCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        SystemProcess process = target.process();
        if (!process.stopped()) {
            throw new ClusterFailure("%s is not paused".formatted(target.host()));
        }
        send(target, process, Signal.CONT, "resume");
        say("%s goes on (process %d)".formatted(target.host(), process.pid()));
    }
}
