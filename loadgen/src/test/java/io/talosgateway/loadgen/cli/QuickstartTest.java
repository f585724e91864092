package io.talosgateway.loadgen.cli;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class QuickstartTest {

    @TempDir
    private Path directory;

    @Test
    void keyIsFoundWhereTheDistributionWasBuilt() throws Exception {
        Path home = Files.createDirectories(directory.resolve("deploy/target/talos-gateway"));
        System.setProperty("talos.loadgen.home", home.toString());
        try {
            assertThat(Quickstart.keyFile()).isNull();

            Path keys = Files.createDirectory(directory.resolve("data")).resolve("keys.json");
            Files.writeString(keys, "{}");

            assertThat(Quickstart.keyFile()).isEqualTo(keys);
        } finally {
            System.clearProperty("talos.loadgen.home");
        }
    }

    @Test
    void metricsAreAtTheNextPort() {
        assertThat(Quickstart.ops(URI.create("http://gateway:8080/"))).isEqualTo(URI.create("http://gateway:8081"));
        assertThat(Quickstart.ops(URI.create("http://gateway"))).isEqualTo(URI.create("http://gateway:81"));
    }
}
