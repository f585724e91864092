package io.talosgateway.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** A program that puts 500 messages of 1 KiB a second to 16 partitions, and whose latencies are measured beside others. */
final class QuietClient {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final GatewayProcess gateway;
    private final Path directory;
    private final String topic;
    private int runs;

    /** @param directory for what the program writes */
    QuietClient(GatewayProcess gateway, Path directory, String topic) {
        this.gateway = gateway;
        this.directory = directory;
        this.topic = topic;
    }

    /** Puts for so long; gives what the load generator says of the puts. */
    JsonNode puts(long seconds) throws Exception {
        Path output = directory.resolve("load-" + runs + ".txt");
        Path json = directory.resolve("load-" + runs + ".json");
        runs++;
        Process process = GatewayProcess.run(
                "talos-loadgen",
                output,
                List.of(
                        "run",
                        "--endpoint",
                        gateway.endpoint(),
                        "--key-file",
                        gateway.directory().resolve("keys.json").toString(),
                        "--topic",
                        topic,
                        "--partitions",
                        "16",
                        "--put-threads",
                        "32",
                        "--put-rate",
                        "500",
                        "--size",
                        "1KiB",
                        "--duration",
                        seconds + "s",
                        "--json",
                        json.toString()),
                Map.of("TALOS_LOADGEN_JAVA_OPTS", "-Xmx256m"));
        try {
            assertThat(process.waitFor(2 * seconds + 60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            process.destroyForcibly();
        }
        return JSON.readTree(json.toFile()).path("put");
    }
}
