package io.talosgateway.loadgen.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * One of the things that are measured, once in each round: a server under a load.
 *
 * @param load what it is put under, such as {@code 2 clients}; variants are compared under the same load
 * @param variant what is compared, such as {@code 2.1.6}
 * @param client what puts the load: a command line of {@code talos-loadgen}, without what {@link #commandLine} adds
 * @param line in a plot over {@code x}, the line that this is a point of
 * @param x null without such a plot
 */
record Trial(
        String load,
        String variant,
        Server server,
        String client,
        String line,
        @Nullable Double x) {

    /**
     * The arguments of {@code talos-loadgen}.
     *
     * @param out the folder for its results
     */
    List<String> commandLine(Server.Running running, TrialSettings settings, Path out) {
        List<String> all = new ArrayList<>(Programs.words(client));
        all.addAll(List.of("--endpoint", running.endpoint()));
        all.addAll(
                running.keyFile() == null
                        ? List.of("--no-create")
                        : List.of("--key-file", running.keyFile().toString()));
        all.addAll(List.of(
                "--warmup",
                settings.warmup().text(),
                "--duration",
                settings.duration().toMillis() + "ms",
                "--seed",
                Long.toString(settings.seed()),
                "--out",
                out.toString()));
        return all;
    }

    String text() {
        return load.isEmpty() ? variant : variant + ", " + load;
    }

    /** As a part of a file's name. */
    String fileName() {
        return text().replaceAll("[^A-Za-z0-9.]+", "-");
    }
}
