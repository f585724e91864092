package io.talosgateway.loadgen;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code talos-loadgen}. */
@Command(
        name = "talos-loadgen",
        description = "Puts load on a Talos Gateway and measures how it answers.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = CommandLines.JarVersion.class,
        subcommands = RunCommand.class,
        footer = {
            "",
            "First steps, with a gateway that runs on this host:",
            "  talos-loadgen run --key-file data/keys.json",
            "  talos-loadgen run --help"
        })
public final class Loadgen {

    private Loadgen() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return CommandLines.of(new Loadgen(), LoadFailure.class::isInstance);
    }
}
