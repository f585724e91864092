package io.talosgateway.dashboards;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.talosgateway.dashboards.Dashboard.Panel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The dashboards in {@code deploy/grafana} are made from {@code dashboards.yaml}: run {@link #main} after a change of it. */
final class DashboardsTest {

    private static final Path FOLDER = DeployFiles.file("grafana/dashboards");

    private static Path file(Dashboard dashboard) {
        return FOLDER.resolve(dashboard.uid() + ".json");
    }

    public static void main(String[] arguments) throws IOException {
        Files.createDirectories(FOLDER);
        for (Dashboard dashboard : Dashboard.readAll()) {
            Files.writeString(file(dashboard), GrafanaJson.of(dashboard));
        }
    }

    @Test
    void filesAreThoseOfTheSource() throws IOException {
        for (Dashboard dashboard : Dashboard.readAll()) {
            assertThat(Files.readString(file(dashboard)))
                    .as("run DashboardsTest.main to write " + file(dashboard))
                    .isEqualTo(GrafanaJson.of(dashboard));
        }
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files)
                    .containsExactlyInAnyOrderElementsOf(Dashboard.readAll().stream()
                            .map(DashboardsTest::file)
                            .toList());
        }
    }

    @Test
    void everyPanelAsksTheHostsThatAreChosenAndSaysWhatToDo() throws IOException {
        for (Dashboard dashboard : Dashboard.readAll()) {
            assertThat(dashboard.queries())
                    .as(dashboard.title())
                    .isNotEmpty()
                    .allSatisfy(query -> assertThat(query.expression()).contains("instance=~\"$host\""));
            List<Panel> panels = dashboard.rows().stream()
                    .flatMap(row -> row.panels().stream())
                    .toList();
            assertThat(panels)
                    .allSatisfy(panel -> assertThat(panel.description()).endsWith("."));
            assertThat(panels.stream().map(Panel::title)).doesNotHaveDuplicates();
        }
    }
}
