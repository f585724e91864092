package io.talosgateway.loadgen;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.experiment.ExperimentCommand;
import io.talosgateway.loadgen.nullserver.NullServerCommand;
import io.talosgateway.loadgen.pipeline.PipelineCommand;
import io.talosgateway.loadgen.report.CompareCommand;
import io.talosgateway.loadgen.verify.VerifyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code talos-loadgen}. */
@Command(
        name = "talos-loadgen",
        description =
                "Puts load on Talos Gateways, measures how they answer, and checks that they keep their promises.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = CommandLines.JarVersion.class,
        subcommands = {
            RunCommand.class,
            CompareCommand.class,
            VerifyCommand.class,
            PipelineCommand.class,
            NullServerCommand.class
        },
        footer = {
            "",
            "First steps, with a gateway that runs on this host:",
            "  talos-loadgen run --preset smoke",
            "  talos-loadgen run --key-file data/keys.json --out before",
            "  talos-loadgen run --key-file data/keys.json --out after",
            "  talos-loadgen compare before after",
            "  talos-loadgen run --help",
            "",
            "With a cluster that runs on this host (deploy/local-cluster.sh up):",
            "  talos-loadgen verify --duration 2m --faults kill,pause,restart",
            "",
            "Questions about the gateway, answered by measuring (from a source tree):",
            "  talos-loadgen experiment list"
        })
public final class Loadgen {

    private Loadgen() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** With all of its commands. */
    public static CommandLine commandLine() {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new Loadgen());
        spec.addSubcommand("experiment", ExperimentCommand.spec());
        return CommandLines.of(spec, LoadFailure.class::isInstance);
    }
}
