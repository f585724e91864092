package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;

/** What experiments need beyond the distribution, such as HDFS: built in the source tree whose distribution this is. Stateless. */
final class BenchmarkLibs {

    private BenchmarkLibs() {}

    /**
     * Finds its folder, with {@code lib} and {@code conf}.
     *
     * @param named where the user says that it is; null if they do not say
     * @param home the distribution that this program is of, in {@code deploy/target/talos-gateway} of its source tree
     * @throws LoadFailure with a sentence for the user if it is not there, or older than its sources
     */
    static Path find(@Nullable Path named, Path home) throws IOException, InterruptedException {
        if (named != null) {
            LoadFailure.check(
                    Files.isDirectory(named.resolve("lib")),
                    "--kit: there is no folder %s; benchmarks/kit.sh of a source tree builds target/benchmarks"
                            .formatted(named.resolve("lib")));
            return named.toAbsolutePath().normalize();
        }
        Path benchmarks = home.resolve("../../../benchmarks").normalize();
        Path script = benchmarks.resolve("kit.sh");
        LoadFailure.check(
                Files.isReadable(script),
                "This needs HDFS and other programs that are not in the distribution: run it as "
                        + "deploy/target/talos-gateway/bin/talos-loadgen of a source tree, or name a folder that "
                        + "benchmarks/kit.sh has built there with --kit, or use --storage file if the experiment can");
        int status = new ProcessBuilder("sh", script.toString(), "--check")
                .inheritIO()
                .start()
                .waitFor();
        LoadFailure.check(
                status == 0,
                ("What this needs beyond the distribution, such as HDFS, is not built, or is older than its sources. Build it "
                                + "with %s, and try again")
                        .formatted(script));
        return benchmarks.resolve("target/benchmarks");
    }
}
