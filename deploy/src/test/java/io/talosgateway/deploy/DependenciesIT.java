package io.talosgateway.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** The libraries of the distribution: the bill of materials names them all, and none has an unknown vulnerability that is known. */
final class DependenciesIT {

    private static final Path LIB = GatewayProcess.DISTRIBUTION.resolve("lib");
    private static final Path BILL = GatewayProcess.DISTRIBUTION.resolve("talos-gateway.cdx.json");

    private static final Set<String> OWN =
            Set.of("client-sdk", "deploy", "loadgen", "rest-server", "scheduler", "thrift-idl", "verifier", "wire");

    /**
     * A library.
     *
     * @param group null if only the name of a file tells of it
     * @param in the jar that has it inside, or {@code lib}
     */
    private record Library(String group, String artifact, String version, String in) {}

    /** A line of {@code known-vulnerabilities.tsv}. */
    private record Advisory(
            String group, String artifact, String from, String fixed, String id, String acceptedIn, String reason) {

        static Advisory of(String line) {
            String[] columns = Arrays.copyOf(line.split("\t", -1), 6);
            String[] name = columns[0].split(":", -1);
            return new Advisory(name[0], name[1], columns[1], columns[2], columns[3], columns[4], columns[5]);
        }

        boolean concerns(Library library) {
            return artifact.equals(library.artifact)
                    && (library.group == null || group.equals(library.group))
                    && compare(library.version, from) >= 0
                    && compare(library.version, fixed) < 0;
        }
    }

    private static List<Integer> numbers(String version) {
        List<Integer> numbers = new ArrayList<>();
        for (String part : version.split("[.-]", -1)) {
            if (!part.matches("\\d{1,9}")) {
                break;
            }
            numbers.add(Integer.valueOf(part));
        }
        return numbers;
    }

    /** Compares the numbers that versions begin with. */
    private static int compare(String one, String other) {
        List<Integer> left = numbers(one);
        List<Integer> right = numbers(other);
        while (left.size() < right.size()) {
            left.add(0);
        }
        right.addAll(Collections.nCopies(left.size() - right.size(), 0));
        for (int index = 0; index < left.size(); index++) {
            int compared = left.get(index).compareTo(right.get(index));
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }

    private static List<Path> jars() throws IOException {
        try (Stream<Path> files = Files.list(LIB)) {
            return files.sorted().toList();
        }
    }

    /** The jars, by their names, and what is inside others, by {@code META-INF/maven}. */
    private static List<Library> libraries() throws IOException {
        List<Library> libraries = new ArrayList<>();
        for (Path jar : jars()) {
            String file = jar.getFileName().toString();
            String name = file.replaceFirst("-\\d.*", "");
            libraries.add(new Library(null, name, file.substring(name.length() + 1), "lib"));
            try (JarFile opened = new JarFile(jar.toFile())) {
                for (JarEntry entry : Collections.list(opened.entries())) {
                    if (entry.getName().matches("META-INF/maven/.*/pom\\.properties")) {
                        Properties properties = new Properties();
                        try (InputStream in = opened.getInputStream(entry)) {
                            properties.load(in);
                        }
                        String artifact = properties.getProperty("artifactId");
                        if (!artifact.equals(name)) {
                            libraries.add(new Library(
                                    properties.getProperty("groupId"),
                                    artifact,
                                    properties.getProperty("version"),
                                    name));
                        }
                    }
                }
            }
        }
        return libraries;
    }

    private static List<Advisory> advisories() throws IOException {
        try (InputStream in = DependenciesIT.class.getResourceAsStream("/known-vulnerabilities.tsv")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Advisory::of)
                    .toList();
        }
    }

    @Test
    void everyKnownVulnerabilityIsAcceptedForAReason() throws Exception {
        List<Library> libraries = libraries();
        assertThat(libraries)
                .contains(new Library("com.jcraft", "jsch", "0.1.55", "hadoop-client-runtime"))
                .extracting(Library::artifact)
                .contains("jetty-http", "netty-handler", "gson");
        for (Advisory advisory : advisories()) {
            Set<String> found = new TreeSet<>();
            for (Library library : libraries) {
                if (advisory.concerns(library)) {
                    found.add(library.in);
                }
            }
            assertThat(found)
                    .as(advisory.id + " of " + advisory.artifact + " before " + advisory.fixed
                            + ": where it is, and where known-vulnerabilities.tsv accepts it")
                    .isEqualTo(advisory.acceptedIn == null ? Set.of() : Set.of(advisory.acceptedIn));
            assertThat(advisory.reason == null).isEqualTo(advisory.acceptedIn == null);
        }
    }

    @Test
    void versionsAreComparedByTheirNumbers() {
        assertThat(compare("4.1.130.Final", "4.1.133")).isNegative();
        assertThat(compare("9.4.58.v20250814", "9.4.60")).isNegative();
        assertThat(compare("2.21.7.jar", "2.21.4")).isPositive();
        assertThat(compare("3.18.0", "3.18")).isZero();
    }

    @Test
    void billOfMaterialsNamesWhatIsInTheDistribution() throws Exception {
        assumeFalse(
                "offline: true".equals(System.getProperty("build.offline")),
                "made with mvn -o, which makes no bill of materials");
        JsonNode bill = new ObjectMapper().readTree(BILL.toFile());
        Set<String> named = new TreeSet<>();
        named.add(file(bill.at("/metadata/component")));
        for (JsonNode component : bill.get("components")) {
            named.add(file(component));
            assertThat(component.path("licenses"))
                    .as(component.get("purl").asText())
                    .isNotEmpty();
        }
        Set<String> present = new TreeSet<>();
        for (Path jar : jars()) {
            present.add(jar.getFileName().toString());
        }
        assertThat(named).isEqualTo(present);
    }

    @Test
    void listOfLicencesNamesEveryLibrary() throws Exception {
        Pattern withLicence = Pattern.compile("(?m)^[^ :]+:([^ :]+):([^ :]+)\\n    \\S.*$");
        Set<String> named = withLicence
                .matcher(Files.readString(GatewayProcess.DISTRIBUTION.resolve("THIRD-PARTY.txt")))
                .results()
                .map(library -> library.group(1) + "-" + library.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> present = new TreeSet<>();
        for (Path jar : jars()) {
            String file = jar.getFileName().toString();
            if (!OWN.contains(file.replaceFirst("-\\d.*", ""))) {
                // The list does not say for which processor a library is.
                present.add(named.stream()
                        .filter(name -> file.equals(name + ".jar") || file.startsWith(name + "-"))
                        .findFirst()
                        .orElse(file));
            }
        }

        assertThat(named).isEqualTo(present);
        assertThat(GatewayProcess.DISTRIBUTION.resolve("LICENSE")).isNotEmptyFile();
        assertThat(GatewayProcess.DISTRIBUTION.resolve("NOTICE")).isNotEmptyFile();
    }

    /** The name that a component's jar has in the distribution. */
    private static String file(JsonNode component) {
        String purl = component.get("purl").asText();
        String classifier = purl.contains("classifier=") ? "-" + purl.replaceFirst(".*classifier=([^&]*).*", "$1") : "";
        return component.get("name").asText() + "-" + component.get("version").asText() + classifier + ".jar";
    }
}
