package io.talosgateway.loadgen;

import java.util.ServiceLoader;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.QuickExit;
import io.talosgateway.loadgen.cli.Subcommand;
import io.talosgateway.loadgen.content.Sizes;
import io.talosgateway.loadgen.experiment.ExperimentCommand;
import io.talosgateway.loadgen.plan.Warmup;
import io.talosgateway.loadgen.report.CompareCommand;
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
        subcommands = {RunCommand.class, CompareCommand.class},
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

    private static final String EXPERIMENT = "experiment";

    private Loadgen() {}

    public static void main(String[] arguments) {
        boolean experiments = arguments.length > 0 && arguments[0].equals(EXPERIMENT);
        QuickExit.exit(commandLine(experiments).execute(arguments));
    }

    public static CommandLine commandLine() {
        return commandLine(true);
    }

    /** @param experiments whether there is a command for each of them: reading their files takes a moment */
    private static CommandLine commandLine(boolean experiments) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new Loadgen());
        spec.addSubcommand(EXPERIMENT, ExperimentCommand.spec(experiments));
        ServiceLoader.load(Subcommand.class).forEach(command -> {
            CommandSpec ofModule = CommandSpec.forAnnotatedObject(command);
            spec.addSubcommand(ofModule.name(), ofModule);
        });
        return CommandLines.of(spec, LoadFailure.class::isInstance)
                .registerConverter(Sizes.class, CommandLines.reading(Sizes::parse))
                .registerConverter(Warmup.class, CommandLines.reading(Warmup::parse));
    }
}
