package io.talosgateway.localcluster;

import java.io.IOException;
import java.time.Duration;

import picocli.CommandLine.Command;

/** {@code reset-clock GATEWAY}. */
@Command(
        name = "reset-clock",
        description = "Puts the clock of a gateway right that 'shift-clock' put forward or back.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh reset-clock gateway-1"})
final class ResetClockCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        ShiftClockCommand.set(target, Duration.ZERO);
        say("The clock of %s is right".formatted(target.host()));
    }
}
