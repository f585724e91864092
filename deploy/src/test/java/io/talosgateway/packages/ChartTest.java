package io.talosgateway.packages;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.dashboards.DeployFiles;
import io.talosgateway.dashboards.Programs;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The Helm chart, where helm is installed. */
final class ChartTest {

    private static final String LEAST = """
            config: {storage.root: "hdfs://namenode:8020/talos", zookeeper.connect: "zk:2181"}
            secrets: {existingSecret: talos}
            """;
    private static final String ALL = """
            config:
              storage.root: hdfs://namenode:8020/talos
              zookeeper.connect: zk:2181
              tls.certificate: /tls/tls.crt
              tls.key: /tls/tls.key
              ops.tls: true
              http.enabled: false
            secrets:
              values: {keys.json: "{}", peer: 0123456789abcdef, zookeeper: "user:password", key-encryption: 0123456789abcdef}
            imagePullSecrets: [{name: registry}]
            env: [{name: HADOOP_USER_NAME, value: talos}]
            extraVolumes: [{name: tls, secret: {secretName: tls}}]
            extraVolumeMounts: [{name: tls, mountPath: /tls}]
            podAnnotations: {note: text}
            nodeSelector: {disk: fast}
            tolerations: [{key: gateways}]
            affinity: {nodeAffinity: {}}
            service: {type: LoadBalancer, annotations: {note: text}}
            networkPolicy: {enabled: true, clients: [{namespaceSelector: {}}], monitoring: [{namespaceSelector: {}}]}
            serviceMonitor: {enabled: true, labels: {release: prometheus}}
            prometheusRule: {enabled: true, labels: {release: prometheus}}
            dashboards: {enabled: true}
            """;

    @TempDir
    private Path directory;

    private String helm(String verb, String values, String... more) throws IOException, InterruptedException {
        Path file = Files.writeString(Files.createTempFile(directory, "values", ".yaml"), values);
        List<String> arguments = new ArrayList<>(List.of(verb));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of("--kube-version=1.30.0", "--values=" + file));
        arguments.add(DeployFiles.file("helm/talos-gateway").toString());
        return Programs.run(directory.resolve("output"), "helm", arguments.toArray(String[]::new));
    }

    /** What the chart makes: Kubernetes objects. */
    private List<JsonNode> objects(String values) throws IOException, InterruptedException {
        String output = helm("template", values);
        List<JsonNode> objects = new ArrayList<>();
        // Before it, helm may say what it thinks of links.
        for (Object object : new Yaml(new SafeConstructor(new LoaderOptions()))
                .loadAll(output.substring(output.indexOf("\n---\n")))) {
            if (object != null) {
                objects.add(new ObjectMapper().valueToTree(object));
            }
        }
        return objects;
    }

    private static JsonNode only(List<JsonNode> objects, String kind) {
        List<JsonNode> found = objects.stream()
                .filter(object -> object.get("kind").asText().equals(kind))
                .toList();
        assertThat(found).as(kind).isNotEmpty();
        return found.get(0);
    }

    private void lint() throws Exception {
        helm("lint", LEAST, "--strict");
        helm("lint", ALL, "--strict");
    }

    private void refusesAClusterWithoutSecrets() {
        assertThatThrownBy(() -> helm("template", LEAST.replace("talos}", "''}")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("/secrets");
    }

    private void makesWhatIsNeeded() throws Exception {
        List<JsonNode> objects = objects(LEAST);
        assertThat(objects)
                .extracting(object -> object.get("kind").asText())
                .containsExactlyInAnyOrder(
                        "ConfigMap", "PodDisruptionBudget", "Service", "Service", "Service", "StatefulSet");
        Properties properties = new Properties();
        properties.load(new StringReader(
                only(objects, "ConfigMap").at("/data/talos-gateway.properties").asText()));
        assertThat(GatewayConfig.defaults())
                .containsKeys(properties.stringPropertyNames().toArray(String[]::new));
        JsonNode pod = only(objects, "StatefulSet").at("/spec/template/spec");
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/containers/0/securityContext/readOnlyRootFilesystem")
                        .asBoolean())
                .isTrue();
        assertThat(pod.at("/volumes/1/secret/secretName").asText()).isEqualTo("talos");
    }

    private void makesWhatIsAskedFor() throws Exception {
        List<JsonNode> objects = objects(ALL);
        assertThat(only(objects, "PrometheusRule").at("/spec/groups"))
                .isEqualTo(
                        DeployFiles.yaml("prometheus/rules/talos-gateway.yml").get("groups"));
        JsonNode pod = only(objects, "StatefulSet").at("/spec/template/spec");
        assertThat(pod.at("/containers/0/args").toString())
                .contains("tls.advertise=")
                .doesNotContain("http.advertise=");
        assertThat(pod.at("/containers/0/readinessProbe/httpGet/scheme").asText())
                .isEqualTo("HTTPS");
        assertThat(objects)
                .extracting(object -> object.get("kind").asText())
                .contains("NetworkPolicy", "Secret", "ServiceMonitor");
        assertThat(objects)
                .anySatisfy(object -> assertThat(object.at("/data").has("talos-overview.json"))
                        .isTrue());
    }

    /** None without helm. */
    @TestFactory
    Stream<DynamicTest> helmAcceptsTheChart() {
        return Programs.find("helm").stream()
                .flatMap(helm -> Stream.of(
                        DynamicTest.dynamicTest("lint", this::lint),
                        DynamicTest.dynamicTest("without secrets", this::refusesAClusterWithoutSecrets),
                        DynamicTest.dynamicTest("least values", this::makesWhatIsNeeded),
                        DynamicTest.dynamicTest("all values", this::makesWhatIsAskedFor)));
    }
}
