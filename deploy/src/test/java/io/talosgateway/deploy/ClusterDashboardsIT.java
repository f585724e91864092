package io.talosgateway.deploy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.dashboards.Dashboard;
import io.talosgateway.dashboards.DeployFiles;
import io.talosgateway.dashboards.Programs;
import io.talosgateway.rest.auth.KeyFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * A Prometheus asks the gateways of a local cluster ({@code deploy/local-cluster.sh up}) under load: every panel of every dashboard has
 * something to show, and puts are as fast as the load generator says. Writes {@code docs/dashboards}: what the panels show, drawn
 * without Grafana, narrow and wide.
 *
 * <p>{@code -Ddashboards.cluster=FOLDER}: the folder of the cluster; {@code -Ddashboards.seconds=300}: for how long; {@code
 * -Ddashboards.pace="--put-threads 4 --get-rate 50"}: options of the load generator; {@code -Ddashboards.size=1KiB}: of a message.
 */
@Tag("by-hand")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class ClusterDashboardsIT {

    private static final long SECONDS = Long.getLong("dashboards.seconds", 300);
    private static final String PACE = System.getProperty("dashboards.pace", "--put-threads 4");
    private static final int PERCENT = 5;
    /** The load generator's latencies include its connections and its own waiting for a core. */
    private static final int LATENCY_PERCENT = 10;

    private static final int PANEL_HEIGHT = 420;

    @TempDir
    private Path directory;

    @Test
    void panelsShowWhatTheLoadGeneratorMeasures() throws Exception {
        Path cluster = Path.of(System.getProperty("dashboards.cluster"));
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(cluster.resolve("cluster.properties"))) {
            properties.load(reader);
        }
        List<String> gateways =
                Stream.of(properties.getProperty("gateways").split(",", -1)).toList();
        Path keyFile = cluster.resolve("keys.json");
        DashboardLoad load = new DashboardLoad(
                properties.getProperty(gateways.get(0) + ".endpoint"),
                KeyFile.read(keyFile).get(0),
                keyFile,
                directory);
        load.use();
        try (PrometheusProcess prometheus = PrometheusProcess.start(
                directory.resolve("prometheus"),
                gateways.stream()
                        .map(gateway -> URI.create(properties.getProperty(gateway + ".ops"))
                                .getPort())
                        .toList())) {
            JsonNode result = load.run(SECONDS, PACE.split(" ", -1));
            PrometheusProcess.Window window = DashboardLoad.window(result);
            PutFigures seen = PutFigures.of(prometheus, window);
            PutFigures sent = PutFigures.of(result);
            System.out.printf("Prometheus: %s%nload generator: %s%n", seen, sent);
            draw(prometheus, window);

            assertThat(prometheus.queriesWithoutData(window)).isEmpty();
            assertThat(prometheus.rulesThatFail()).isEmpty();
            assertThat(seen.perSecond()).isCloseTo(sent.perSecond(), withinPercentage(PERCENT));
            seen.latencies()
                    .forEach((legend, ms) -> assertThat(ms)
                            .as(legend)
                            .isCloseTo(sent.latencies().get(legend), withinPercentage(LATENCY_PERCENT)));
        }
    }

    private void draw(PrometheusProcess prometheus, PrometheusProcess.Window window) throws Exception {
        Path folder = Files.createDirectories(DeployFiles.file("../docs/dashboards"));
        for (Dashboard dashboard : Dashboard.readAll()) {
            Path page = Files.writeString(
                    directory.resolve(dashboard.uid() + ".html"), DashboardPage.of(dashboard, prometheus, window));
            int panels = dashboard.rows().stream()
                    .mapToInt(row -> row.panels().size())
                    .sum();
            for (int width : List.of(375, 1440)) {
                int columns = width < 1000 ? 1 : 3;
                screenshot(
                        page,
                        folder.resolve(dashboard.uid() + "-" + width + ".png"),
                        width,
                        PANEL_HEIGHT * (panels / columns + dashboard.rows().size()));
            }
        }
    }

    private void screenshot(Path page, Path picture, int width, int height) throws Exception {
        Process browser = new ProcessBuilder(List.of(
                        Programs.find("chromium").orElseThrow().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--window-size=" + width + "," + height,
                        "--screenshot=" + picture,
                        page.toUri().toString()))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("browser.log").toFile())
                .start();
        try {
            assertThat(browser.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            browser.destroyForcibly();
        }
        trim(picture);
    }

    /** Cuts off what is blank below the page. */
    private static void trim(Path picture) throws IOException {
        BufferedImage image = ImageIO.read(picture.toFile());
        int height = image.getHeight();
        int[] blank = image.getRGB(0, height - 1, image.getWidth(), 1, null, 0, image.getWidth());
        while (height > 1
                && Arrays.equals(blank, image.getRGB(0, height - 1, image.getWidth(), 1, null, 0, image.getWidth()))) {
            height--;
        }
        ImageIO.write(image.getSubimage(0, 0, image.getWidth(), height), "png", picture.toFile());
    }
}
