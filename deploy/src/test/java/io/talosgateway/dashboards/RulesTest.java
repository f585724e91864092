package io.talosgateway.dashboards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The alert rules; their own tests run where promtool is installed. */
final class RulesTest {

    private static final Path TESTS = DeployFiles.file("prometheus/rules/talos-gateway.test.yml");
    private static final Pattern TESTED = Pattern.compile("alertname: (\\w+)");
    private static final Pattern EXPECTED = Pattern.compile("alertname: (\\w+)\\s+exp_alerts:\\s+- ");

    @TempDir
    private Path directory;

    private static Set<String> names(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(TESTS))
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyAlertSaysWhatToDoAndHasATestInWhichItFires() throws IOException {
        assertThat(AlertRule.readAll()).hasSizeGreaterThan(20).allSatisfy(rule -> {
            assertThat(rule.severity()).isIn("page", "ticket");
            assertThat(rule.summary()).isNotBlank();
            assertThat(rule.description()).endsWith(".");
        });
        Set<String> alerts =
                AlertRule.readAll().stream().map(AlertRule::name).collect(Collectors.toCollection(TreeSet::new));
        assertThat(names(EXPECTED)).isEqualTo(alerts);
        assertThat(names(TESTED)).isEqualTo(alerts);
    }

    /** None without promtool. */
    @TestFactory
    Stream<DynamicTest> promtoolAcceptsWhatIsHere() {
        return Programs.find("promtool").stream()
                .flatMap(promtool -> Stream.of(
                        DynamicTest.dynamicTest(
                                "tests of the rules",
                                () -> Programs.run(
                                        directory.resolve("test.txt"), "promtool", "test", "rules", TESTS.toString())),
                        DynamicTest.dynamicTest(
                                "example of a configuration",
                                () -> Programs.run(
                                        directory.resolve("check.txt"),
                                        "promtool",
                                        "check",
                                        "config",
                                        DeployFiles.file("prometheus/prometheus.yml")
                                                .toString()))));
    }
}
