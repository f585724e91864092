package io.talosgateway.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.bootstrap.GatewayConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a gateway's configuration comes from. */
final class ConfigOptions {

    private static final String FILE = "talos-gateway.properties";

    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description = "Configuration file. Default: conf/" + FILE + " of the distribution.")
    private @Nullable Path file;

    @Option(
            names = {"-s", "--set"},
            paramLabel = "KEY=VALUE",
            description =
                    "A configuration value, over the file's. May be repeated. A secret is refused here, where others on "
                            + "the machine see it; name the file that holds it: --set zookeeper.auth=@FILE.")
    private Map<String, String> values = new LinkedHashMap<>();

    GatewayConfig config() {
        return GatewayConfig.of(values());
    }

    /** The settings by key: those of the file, and over them those of the command line. */
    Map<String, String> values() {
        GatewayConfig.refuseSecrets(values);
        List<Path> files = files();
        return files.isEmpty() ? new HashMap<>(values) : GatewayConfig.load(files.get(0), values);
    }

    /** The configuration file; none if there is none. */
    List<Path> files() {
        Path chosen = file;
        if (chosen == null) {
            String folder = System.getProperty("talos.conf");
            Path ofDistribution = folder == null ? null : Path.of(folder, FILE);
            chosen = ofDistribution != null && Files.exists(ofDistribution) ? ofDistribution : null;
        }
        return chosen == null ? List.of() : List.of(chosen);
    }
}
