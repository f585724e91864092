package io.talosgateway.loadgen.experiment;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code talos-loadgen experiment}: each experiment is a command of its own. */
@Command(
        name = "experiment",
        description = {
            "Answers a question about the gateway by measuring: starts the servers and the load that it needs, takes the variants "
                    + "in turn, several times, each with fresh processes and data, and shows medians and ratios.",
            "",
            "Nothing else should run on the machine meanwhile. Ctrl-C keeps what there is, and leaves no process behind.",
            ""
        },
        synopsisSubcommandLabel = "NAME",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  talos-loadgen experiment list",
            "  talos-loadgen experiment talos-full --help",
            "  talos-loadgen experiment talos-full --scale quick --out full-load"
        })
public final class ExperimentCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    private ExperimentCommand() {}

    /** @param all whether it has a command for each experiment */
    public static CommandSpec spec(boolean all) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new ExperimentCommand());
        for (String name : all ? Experiments.NAMES : List.<String>of()) {
            spec.addSubcommand(name, NameCommand.spec(name));
        }
        return spec;
    }

    @Command(
            name = "list",
            description = "Shows the experiments: what each asks, and what it takes.",
            mixinStandardHelpOptions = true)
    void list() {
        PrintWriter out = spec.commandLine().getOut();
        for (String name : Experiments.NAMES) {
            out.println(name);
            out.println("  " + Experiments.usually(name, Scale.QUICK).question());
            for (Scale scale : Scale.values()) {
                out.println(String.format(Locale.ROOT, "  %-5s  %s", scale.text(), Experiments.usualCost(name, scale)));
            }
            out.println();
        }
        out.println("'talos-loadgen experiment NAME --help' says more.");
        out.flush();
    }

    @Override
    public void run() {
        CommandLine command = spec.commandLine();
        throw new ParameterException(command, "Which experiment? 'talos-loadgen experiment list' shows them");
    }
}
