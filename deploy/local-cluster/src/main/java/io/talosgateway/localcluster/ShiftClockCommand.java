package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code shift-clock GATEWAY BY}. */
@Command(
        name = "shift-clock",
        description = {
            "Puts the wall clock of a gateway forward, or back, by a duration such as PT10M, PT-2H or P2D, while the gateway runs.",
            "'reset-clock' puts it right."
        },
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh shift-clock gateway-1 PT-10M"})
final class ShiftClockCommand extends OneHostCommand {

    @Parameters(index = "1", paramLabel = "BY", description = "A duration, as ISO 8601 writes it.")
    private Duration by = Duration.ZERO;

    @Override
    void run(Target target) throws IOException, InterruptedException {
        set(target, by);
        say("The clock of %s is off by %s".formatted(target.host(), by));
    }

    static void set(Target target, Duration by) throws IOException {
        if (!target.host().is(HostKind.GATEWAY)) {
            throw new ClusterFailure("Only the clocks of gateways can be shifted, not that of " + target.host());
        }
        target.hosts().log(target.host()).note("shift-clock " + by);
        Path file = target.folder().clockShift(target.host());
        Path written = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(written, by.toString());
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
