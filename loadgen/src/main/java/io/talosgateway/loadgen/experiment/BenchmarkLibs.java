package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;

/**
 * What experiments need beyond the distribution, such as HDFS: built from the source tree whose distribution this is.
 *
 * @param directory with {@code lib} and {@code conf}, if it was built already
 * @param script builds it; null if it is not to be looked after
 */
record BenchmarkLibs(Path directory, @Nullable Path script) {

    /** What the script says, by its exit status, if asked whether there is something to build. */
    private static final int TO_BUILD = 3;

    /** The distribution is in {@code deploy/target/talos-gateway} of the source tree. */
    private static final String TREE = "../../..";

    /**
     * Finds it.
     *
     * @param named where the user says that it is; null if they do not say
     * @param home the distribution that this program is of; null if it is of none
     * @throws LoadFailure with a sentence for the user if there is none
     */
    public static BenchmarkLibs find(@Nullable Path named, @Nullable Path home) {
        if (named != null) {
            if (!Files.isDirectory(named.resolve("lib"))) {
                throw new LoadFailure(
                        "--kit: there is no folder %s; benchmarks/kit.sh of a source tree builds target/benchmarks"
                                .formatted(named.resolve("lib")));
            }
            return new BenchmarkLibs(named.toAbsolutePath().normalize(), null);
        }
        if (home != null) {
            Path benchmarks = home.resolve(TREE).resolve("benchmarks").normalize();
            Path script = benchmarks.resolve("kit.sh");
            if (Files.isReadable(script)) {
                return new BenchmarkLibs(benchmarks.resolve("target/benchmarks"), script);
            }
        }
        throw new LoadFailure("This needs HDFS and other programs that are not in the distribution: run it as "
                + "deploy/target/talos-gateway/bin/talos-loadgen of a source tree, which builds them, or name a folder "
                + "that benchmarks/kit.sh has built there with --kit, or use --storage file if the experiment can");
    }

    /** Whether it, or the distribution, is older than its sources. */
    public boolean isOutdated() throws IOException, InterruptedException {
        return script != null && run(script, List.of("--check")) == TO_BUILD;
    }

    /**
     * Builds it, and the distribution with it. A program that runs from the distribution cannot go on after that.
     *
     * @throws LoadFailure if that fails; the script has said why
     */
    public void build() throws IOException, InterruptedException {
        if (script != null && run(script, List.of()) != 0) {
            throw new LoadFailure(script + " could not build what the experiment needs; see above");
        }
    }

    private static int run(Path script, List<String> arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString()).inheritIO();
        builder.command().addAll(arguments);
        return builder.start().waitFor();
    }
}
