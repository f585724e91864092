package io.talosgateway.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.dashboards.DeployFiles;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The configurations of the packages are ones that the gateway takes, and leave it time to stop. */
final class PackagesTest {

    /** For sealing files and closing connections. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private static final Pattern SETTING = Pattern.compile("--set=([a-z.-]+)=");

    private static String read(String place) throws IOException {
        return Files.readString(DeployFiles.file(place));
    }

    private static Map<String, String> properties(String place) {
        return new HashMap<>(GatewayConfig.load(DeployFiles.file(place), Map.of()));
    }

    /** What the gateway makes of a configuration; files that hold secrets are not here. */
    private static GatewayConfig check(Map<String, String> values) {
        Map<String, String> withSecrets = new HashMap<>(values);
        withSecrets.replaceAll((key, value) -> value.startsWith("@") ? "user:0123456789abcdef" : value);
        return GatewayConfig.of(withSecrets);
    }

    private static Duration stopTime(GatewayConfig config) {
        Duration notice = config.cluster().stopNotice();
        Duration handingOver = config.cluster().stopTimeout();
        Duration leaving = notice.compareTo(handingOver) > 0 ? notice : handingOver;
        return leaving.plus(config.drainTimeout()).plus(CLOSING);
    }

    private static Duration number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return Duration.ofSeconds(Long.parseLong(matcher.group(1)));
    }

    /** The configuration of the chart's ConfigMap, with the settings that its values must have. */
    private static Map<String, String> ofChart() throws IOException {
        String template = read("helm/talos-gateway/templates/_helpers.tpl");
        Properties fixed = new Properties();
        Matcher lines = Pattern.compile("(?m)^([a-z][a-z.-]+)=(.*)$").matcher(template);
        while (lines.find()) {
            fixed.setProperty(lines.group(1), lines.group(2));
        }
        assertThat(fixed).containsKeys("data.directory", "peer.secret");
        Map<String, String> values = new HashMap<>();
        fixed.forEach((key, value) -> values.put(String.valueOf(key), String.valueOf(value)));
        DeployFiles.yaml("helm/talos-gateway/values.yaml")
                .get("config")
                .properties()
                .forEach(setting ->
                        values.put(setting.getKey(), setting.getValue().asText()));
        values.put("storage.root", "hdfs://namenode:8020/talos");
        values.put("zookeeper.connect", "zk1:2181");
        return values;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"debian/talos-gateway.properties", "docker/talos-gateway.properties", "docker/cluster.properties"
            })
    void gatewayTakesTheConfigurationOfThePackage(String place) {
        GatewayConfig config = check(properties(place));

        assertThat(config.dataDirectory()).isEqualTo(Path.of("/var/lib/talos-gateway"));
    }

    @Test
    void gatewayTakesTheConfigurationOfTheChart() throws Exception {
        GatewayConfig config = check(ofChart());

        assertThat(config.dataDirectory()).isEqualTo(Path.of("/var/lib/talos-gateway"));
        assertThat(config.cluster().stopNotice()).isEqualTo(Duration.ofSeconds(10));
        Set<String> ofPod = SETTING.matcher(read("helm/talos-gateway/templates/statefulset.yaml"))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(ofPod).contains("host.name", "peer.advertise");
        assertThat(GatewayConfig.defaults()).containsKeys(ofPod.toArray(String[]::new));
    }

    @Test
    void everyGatewayOfTheComposeFileHasAnIdentity() throws Exception {
        JsonNode services = DeployFiles.yaml("docker/compose.yaml").get("services");
        Map<String, String> advertised = new LinkedHashMap<>();
        for (String name : List.of("gateway-1", "gateway-2", "gateway-3")) {
            Map<String, String> settings = properties("docker/cluster.properties");
            for (JsonNode word : services.get(name).get("command")) {
                String[] setting = word.asText().split("=", 2);
                if (setting.length == 2) {
                    settings.put(setting[0], setting[1]);
                }
            }
            GatewayConfig config = check(settings);
            assertThat(config.hosting().hostName()).isEqualTo(name);
            assertThat(config.cluster().advertise()).isEqualTo(name + ":8082");
            assertThat(services.get(name).get("ports").get(0).asText()).isEqualTo(config.advertise() + ":8080");
            advertised.put(config.advertise(), name);
        }
        assertThat(advertised).hasSize(3);
        assertThat(read("prometheus/prometheus.yml"))
                .contains("\"gateway-1:8081\", \"gateway-2:8081\", \"gateway-3:8081\"");
    }

    @Test
    void portsOfTheComposeFileAreOnLoopbackOnly() throws Exception {
        List<String> published = DeployFiles.yaml("docker/compose.yaml")
                .get("services")
                .valueStream()
                .flatMap(service -> service.path("ports").valueStream())
                .map(JsonNode::asText)
                .toList();

        assertThat(published).hasSize(5).allMatch(port -> port.startsWith("127.0.0.1:"));
    }

    @Test
    void gatewayHasTimeToStop() throws Exception {
        assertThat(number(read("systemd/talos-gateway.service"), "(?m)^TimeoutStopSec=(\\d+)$"))
                .isGreaterThanOrEqualTo(stopTime(check(properties("debian/talos-gateway.properties"))));
        assertThat(number(read("docker/compose.yaml"), "stop_grace_period: (\\d+)s"))
                .isGreaterThanOrEqualTo(stopTime(check(properties("docker/cluster.properties"))));
        Duration inKubernetes =
                number(read("helm/talos-gateway/values.yaml"), "(?m)^terminationGracePeriodSeconds: (\\d+)$");
        assertThat(inKubernetes).isGreaterThanOrEqualTo(stopTime(check(ofChart())));
        Duration least = Duration.ofSeconds(DeployFiles.json(read("helm/talos-gateway/values.schema.json"))
                .at("/properties/terminationGracePeriodSeconds/minimum")
                .asLong());
        assertThat(least).isGreaterThanOrEqualTo(stopTime(check(ofChart())));
    }

    /** A pod is not ready before it stops taking requests, so that Kubernetes has taken it out of the Service by then. */
    @Test
    void probesSeeInTimeThatAGatewayIsNotReady() throws Exception {
        Matcher probe = Pattern.compile(
                        "readinessProbe:[^:]*:.*\\s+periodSeconds: (\\d+)\\s+timeoutSeconds: (\\d+)\\s+failureThreshold: (\\d+)")
                .matcher(read("helm/talos-gateway/templates/statefulset.yaml"));
        assertThat(probe.find()).isTrue();
        Duration seen = Duration.ofSeconds(Long.parseLong(probe.group(1)) * Long.parseLong(probe.group(3)));

        assertThat(seen).isLessThan(check(ofChart()).cluster().stopNotice());
    }

    @Test
    void chartHasTheRulesAndDashboardsOfTheDistribution() throws Exception {
        assertThat(DeployFiles.file("helm/talos-gateway/files/rules.yml").toRealPath())
                .isEqualTo(
                        DeployFiles.file("prometheus/rules/talos-gateway.yml").toRealPath());
        assertThat(DeployFiles.file("helm/talos-gateway/files/dashboards").toRealPath())
                .isEqualTo(DeployFiles.file("grafana/dashboards").toRealPath());
    }

    @Test
    void chartIsOfThisVersion() throws Exception {
        Matcher version = Pattern.compile("<version>([^<]+)</version>").matcher(read("../pom.xml"));
        assertThat(version.find()).isTrue();
        JsonNode chart = DeployFiles.yaml("helm/talos-gateway/Chart.yaml");

        assertThat(chart.get("appVersion").asText()).isEqualTo(version.group(1));
        assertThat(chart.get("version").asText()).isEqualTo(version.group(1).replace("-SNAPSHOT", ""));
    }

    /** Files that a package takes from the source tree; a name that is wrong would be found by whoever builds it only. */
    @Test
    void imageIsMadeOfWhatIsNotIgnored() throws Exception {
        List<String> taken = Files.readAllLines(DeployFiles.file(".dockerignore")).stream()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .toList();
        List<String> copied = read("docker/Dockerfile")
                .lines()
                .filter(line -> line.startsWith("COPY ") && !line.contains("--from"))
                .flatMap(line -> Stream.of(line.split(" ")).skip(1).filter(word -> !word.startsWith("/")))
                .toList();

        assertThat(copied).isNotEmpty().allMatch(file -> taken.stream().anyMatch(file::startsWith));
        assertThat(DeployFiles.file("docker/talos-gateway.properties")).exists();
    }
}
