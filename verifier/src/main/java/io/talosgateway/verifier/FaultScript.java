package io.talosgateway.verifier;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.cli.LoadFailure;

/** Does things to the hosts of a cluster by running its script. Any thread. */
record FaultScript(Path script, Path directory) implements VerifiedHosts {

    private static final Duration AT_MOST = Duration.ofMinutes(10);
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final int MOST_CHARACTERS_SHOWN = 500;

    @Override
    public void run(String command, String host, List<String> arguments) throws InterruptedException {
        List<String> line = new ArrayList<>(List.of(script.toString(), command, host));
        line.addAll(arguments);
        line.addAll(List.of("--dir", directory.toAbsolutePath().toString()));
        List<String> started = new ArrayList<>(line);
        if (Files.isExecutable(SETSID)) {
            // Ctrl-C is for this process, not for a script that is just putting a host back, nor for that host.
            started.add(0, SETSID.toString());
        }
        try {
            // Into a file: what the script starts may keep its output open for longer than the script runs.
            Path output = Files.createTempFile("talos-verify-", ".txt");
            try {
                Process process = new ProcessBuilder(started)
                        .redirectErrorStream(true)
                        .redirectInput(ProcessBuilder.Redirect.from(
                                Path.of("/dev/null").toFile()))
                        .redirectOutput(output.toFile())
                        .start();
                boolean ended = process.waitFor(AT_MOST.toSeconds(), TimeUnit.SECONDS);
                if (!ended) {
                    process.destroyForcibly();
                }
                if (!ended || process.exitValue() != 0) {
                    throw new LoadFailure("'%s' %s: %s"
                            .formatted(
                                    String.join(" ", line),
                                    ended
                                            ? "ended with status " + process.exitValue()
                                            : "did not end in " + AT_MOST.toSeconds() + " s",
                                    tail(output)));
                }
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new LoadFailure("'%s' cannot be run: %s".formatted(script, e.getMessage()), e);
        }
    }

    private static String tail(Path output) throws IOException {
        String text = Files.readString(output, StandardCharsets.ISO_8859_1).strip();
        return text.isEmpty()
                ? "it printed nothing"
                : text.substring(Math.max(0, text.length() - MOST_CHARACTERS_SHOWN));
    }
}
