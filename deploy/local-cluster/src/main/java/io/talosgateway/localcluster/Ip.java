package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs {@code ip} of iproute2, which knows and changes the networks of the machine. Stateless. */
final class Ip {

    private Ip() {}

    /**
     * Returns the lines that it prints.
     *
     * @throws ClusterFailure with what it says, if it fails or is not there
     */
    static List<String> run(String... arguments) throws InterruptedException {
        List<String> words = new ArrayList<>(List.of("ip"));
        words.addAll(List.of(arguments));
        String line = String.join(" ", words);
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new ClusterFailure("'%s' failed: %s".formatted(line, output.strip()));
            }
            return output.lines().toList();
        } catch (IOException e) {
            throw new ClusterFailure("'%s' cannot be run: %s".formatted(line, e.getMessage()), e);
        }
    }
}
