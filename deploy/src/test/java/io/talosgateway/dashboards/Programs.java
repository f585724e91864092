package io.talosgateway.dashboards;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Programs that some tests need, where they are installed. */
public final class Programs {

    private Programs() {}

    public static Optional<Path> find(String name) {
        return List.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1)).stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs a program that is installed; fails if it does. Returns what it printed. */
    public static String run(Path output, String name, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(find(name).orElseThrow().toString());
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }
}
