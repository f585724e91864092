package io.talosgateway.loadgen.report;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.chart.Page;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code talos-loadgen compare}. */
@Command(
        name = "compare",
        description = {
            "Puts runs side by side, with the ratios of all others to the first.",
            "",
            "On a machine that does other things, too, single runs differ by a tenth without a reason: make several of each, "
                    + "alternately, before you believe a difference.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the runs were compared",
            "1:a result cannot be read; the reason is said in a line",
            "2:wrong usage"
        },
        footer = {
            "",
            "Examples:",
            "  talos-loadgen compare before after",
            "  talos-loadgen compare a/result.json b/result.json c/result.json --html comparison.html"
        })
public final class CompareCommand implements Callable<Integer> {

    @Parameters(
            paramLabel = "RUN",
            arity = "2..*",
            description = "Folders of 'talos-loadgen run', or their result.json files. The first is compared with.")
    private List<Path> runs = List.of();

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a page with the table and plots of the percentiles, too.")
    private @Nullable Path html;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (html != null) {
            ResultFile.check("--html", html);
        }
        Page page = Comparison.read(runs).page();
        PrintWriter out = spec.commandLine().getOut();
        out.print(page.toText());
        if (html != null) {
            ResultFile.writeText(html, page.toHtml());
            out.println();
            out.println("Report: " + html);
        }
        out.flush();
        return 0;
    }
}
