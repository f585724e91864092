package io.talosgateway.dashboards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Files of the folder {@code deploy}, wherever in the project a test runs. */
public final class DeployFiles {

    private DeployFiles() {}

    public static Path file(String place) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path deploy = folder.resolve("deploy");
            if (Files.isDirectory(deploy.resolve("grafana"))) {
                return deploy.resolve(place);
            }
        }
        throw new IllegalStateException("run this in the source tree");
    }

    public static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    public static JsonNode yaml(String place) throws IOException {
        Object document = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file(place)));
        return new ObjectMapper().valueToTree(document);
    }
}
