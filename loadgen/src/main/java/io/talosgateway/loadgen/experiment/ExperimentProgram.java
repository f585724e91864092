package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.process.ChildProcess;

/**
 * A program of the kit that is an experiment by itself. It says how it goes, and writes its tables, in Markdown, to the file of
 * its option {@code --out}.
 *
 * @param main its main class
 * @param java options of its JVM, with spaces between them
 * @param arguments with spaces between them
 * @param runs how many it makes in a round
 */
record ExperimentProgram(String main, String java, String arguments, int runs) {

    /** More than any takes. */
    private static final Duration PATIENCE = Duration.ofHours(12);

    String cost(TrialSettings settings) {
        long count = (long) runs * settings.rounds();
        Duration all = settings.warmup().most().plus(settings.duration()).multipliedBy(count);
        return "%d runs of %d s: about %s, no disk"
                .formatted(count, settings.duration().toSeconds(), TrialSettings.text(all));
    }

    int run(String name, TrialEnvironment environment) throws IOException, InterruptedException {
        Files.createDirectories(environment.out());
        Path file = environment.out().resolve("table.md");
        List<String> all = new ArrayList<>(Programs.words(arguments));
        all.addAll(List.of("--out", file.toString()));
        try (ChildProcess program =
                environment.programs().kit(name, main, Programs.words(java), all, environment.progress()::show)) {
            program.awaitSuccess(PATIENCE);
        } catch (IOException e) {
            if (environment.programs().isInterrupted()) {
                throw new InterruptedException();
            }
            throw e;
        }
        environment.progress().end();
        environment.text().print(Files.readString(file));
        environment.text().println("\nReport: " + file);
        environment.text().flush();
        return 0;
    }
}
