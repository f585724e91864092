package io.talosgateway.loadgen.experiment;

import java.io.PrintWriter;
import java.util.Locale;

import io.talosgateway.loadgen.experiment.engine.Experiment;
import io.talosgateway.loadgen.experiment.engine.Experiments;
import io.talosgateway.loadgen.experiment.engine.Scale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code talos-loadgen experiment list}. */
@Command(
        name = "list",
        description = "Shows the experiments: what each asks, and what it takes.",
        mixinStandardHelpOptions = true)
final class ListCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        for (Experiment experiment : Experiments.ALL) {
            out.println(experiment.name());
            out.println("  " + experiment.question());
            for (Scale scale : Scale.values()) {
                out.println(String.format(
                        Locale.ROOT, "  %-5s  %s", scale.text(), experiment.cost(experiment.usual(scale))));
            }
            out.println();
        }
        out.println("'talos-loadgen experiment NAME --help' says more.");
        out.flush();
    }
}
