package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.talosgateway.dashboards.DeployFiles;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code docs/configuration.md} is made from the configuration file: run {@link #main} after a change of it. */
public final class ConfigurationDocumentTest {

    private static final Path DOCUMENT = DeployFiles.file("../docs/configuration.md");
    private static final Path FILE = DeployFiles.file("src/main/distribution/conf/talos-gateway.properties");

    private static String document() throws IOException {
        return ConfigurationDocument.of(Files.readAllLines(FILE), GatewayConfig.defaults(), GatewayConfig.kinds());
    }

    public static void main(String[] arguments) throws IOException {
        Files.writeString(DOCUMENT, document());
    }

    @Test
    void documentIsThatOfTheConfigurationFile() throws IOException {
        assertThat(Files.readString(DOCUMENT))
                .as("run ConfigurationDocumentTest.main to write " + DOCUMENT)
                .isEqualTo(document());
    }

    @Test
    void everySettingIsThereOnceWithWhatItTakesAndMeans() throws IOException {
        String document = document();
        for (String key : GatewayConfig.defaults().keySet()) {
            assertThat(document.lines().filter(line -> line.startsWith("| `" + key + "` |")))
                    .singleElement()
                    .asString()
                    .as("with values and a meaning")
                    .matches("\\| `[^|]*` \\| [^|]*\\| [^|]+ \\| .{5,} \\|");
        }
    }

    @Test
    void settingsBelowOneCommentShareIt() {
        String document = ConfigurationDocument.of(
                List.of(
                        "# Top.",
                        "# ---- Group ----",
                        "",
                        "# How long, or",
                        "# not | ever.",
                        "#   an example",
                        "#a.one=1s",
                        "#a.two=",
                        "#a.three="),
                Map.of("a.one", "1s", "a.two", "7", "a.three", ""),
                Map.of("a.one", "duration", "a.two", "number", "a.three", "text"));

        assertThat(document).contains("\n## Group\n").endsWith("""
                        | `a.one` | `1s` | duration | How long, or not \\| ever. `an example` |
                        | `a.two` | by machine | number | see `a.one` |
                        | `a.three` |  | text | see `a.one` |
                        """).doesNotContain("Top.");
        assertThatThrownBy(() -> ConfigurationDocument.of(List.of("#b=1"), Map.of(), Map.of()))
                .hasMessageContaining("no setting b");
    }
}
