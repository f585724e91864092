package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.talosgateway.rest.bootstrap.GatewayConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The distribution's configuration file names every key with its default. */
final class ConfigurationFileTest {

    private static final Path FILE = Path.of("src/main/distribution/conf/talos-gateway.properties");

    private static Map<String, String> commentedOut() throws IOException {
        Map<String, String> values = new TreeMap<>();
        for (String line : Files.readAllLines(FILE)) {
            if (line.matches("#[a-z.-]+=.*")) {
                int equals = line.indexOf('=');
                values.put(line.substring(1, equals), line.substring(equals + 1));
            }
        }
        return values;
    }

    @Test
    void everyKeyIsThereAndNoOther() throws IOException {
        assertThat(commentedOut().keySet())
                .containsExactlyElementsOf(GatewayConfig.defaults().keySet());
    }

    @Test
    void valuesAreTheDefaults() throws IOException {
        Map<String, String> defaults = new TreeMap<>(GatewayConfig.defaults());
        commentedOut().forEach((key, value) -> {
            if (!value.isEmpty()) {
                assertThat(value).as(key).isEqualTo(defaults.get(key));
            }
        });
    }

    @Test
    void onlyDefaultsThatDependOnTheMachineAreLeftOut() throws IOException {
        List<String> leftOut = commentedOut().entrySet().stream()
                .filter(entry -> entry.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .filter(key -> !GatewayConfig.defaults().getOrDefault(key, "").isEmpty())
                .toList();

        assertThat(leftOut)
                .containsExactly(
                        "admission.max-bytes-in-flight",
                        "answer.threads",
                        "auth.key-file",
                        "control.max-queued-size",
                        "control.max-queued-size-per-key",
                        "control.max-queued-size-per-thread",
                        "forward.max-queued-size",
                        "get.max-queued-size",
                        "get.max-queued-size-per-key",
                        "get.max-queued-size-per-thread",
                        "get.threads",
                        "http.threads",
                        "journal.index-cache-size",
                        "journal.lanes",
                        "journal.max-queued-size",
                        "journal.read-ahead-cache-size",
                        "journal.tail-cache-size",
                        "peer.max-unanswered-size",
                        "put.max-queued-size",
                        "put.max-queued-size-per-key",
                        "put.max-queued-size-per-thread",
                        "put.threads",
                        "transaction.max-prepared-size");
    }

    @Test
    void fileAsItIsIsAValidConfiguration() {
        assertThat(GatewayConfig.of(GatewayConfig.load(FILE, Map.of()))).isEqualTo(GatewayConfig.of(Map.of()));
    }
}
