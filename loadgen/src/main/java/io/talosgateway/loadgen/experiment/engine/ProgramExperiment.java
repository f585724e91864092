package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.process.ChildProcess;

/**
 * An experiment that is a program of the kit. It says how it goes, and writes its tables, in Markdown, to the file of its option
 * {@code --out}.
 */
public interface ProgramExperiment extends Experiment {

    /** More than any takes. */
    Duration PATIENCE = Duration.ofHours(12);

    String mainClass();

    List<String> javaOptions();

    List<String> arguments(TrialSettings settings);

    @Override
    default List<String> variants(TrialSettings settings) {
        return List.of();
    }

    @Override
    default boolean needsKit(TrialSettings settings) {
        return true;
    }

    @Override
    default int run(TrialEnvironment environment) throws IOException, InterruptedException {
        Files.createDirectories(environment.out());
        Path file = environment.out().resolve("table.md");
        List<String> all = new ArrayList<>(arguments(environment.settings()));
        all.addAll(List.of("--out", file.toString()));
        try (ChildProcess program = environment
                .interruption()
                .add(environment
                        .programs()
                        .kit(name(), mainClass(), javaOptions(), all, environment.progress()::show))) {
            program.awaitSuccess(PATIENCE);
        } catch (IOException e) {
            if (environment.interruption().isInterrupted()) {
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
