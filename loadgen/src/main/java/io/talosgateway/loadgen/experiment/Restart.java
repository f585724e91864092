package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.experiment.engine.BenchmarkLibs;
import io.talosgateway.loadgen.process.Distribution;
import picocli.CommandLine;

/**
 * Begins again in a new process after the kit was built: building replaces the libraries that this process runs from.
 * Stateless.
 */
final class Restart {

    private Restart() {}

    /**
     * Builds, and does in a new process what this one was told.
     *
     * @param root the command that was parsed
     * @return the exit status
     */
    static int after(BenchmarkLibs kit, Distribution distribution, CommandLine root)
            throws IOException, InterruptedException {
        Path script = distribution.directory().resolve("bin/talos-loadgen");
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(root.getParseResult().originalArgs());
        // So that it is not looked after once more, whatever the clocks of the files say.
        command.addAll(List.of("--kit", kit.directory().toString()));
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        kit.build();
        Process again = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(again), "end"));
        return again.waitFor();
    }

    /** Its last words are heard. */
    private static void end(Process process) {
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
