package io.talosgateway.dashboards;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Prometheus and its tools, where they are installed. */
public final class Programs {

    private Programs() {}

    public static Optional<Path> find(String name) {
        return List.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1)).stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Runs promtool; fails if it does. */
    static void promtool(Path output, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(find("promtool").orElseThrow().toString());
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
    }
}
