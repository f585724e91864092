package io.talosgateway.rest.http.ops;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.http.HttpConfig;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The operations port with and without the console. */
final class OpsHandlerTest {

    private static final Path FILES = Path.of("src/main/resources/console");
    private static final Pattern MARKUP = Pattern.compile(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|new Function|srcdoc|DOMParser");
    private static final Pattern ELSEWHERE = Pattern.compile("https?://(?!www\\.w3\\.org/2000/svg)");

    /** Says that it was asked. */
    private static final Request.Handler API = (request, response, callback) -> {
        response.setStatus(200);
        String text = request.getMethod() + " " + request.getHttpURI().getPathQuery();
        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
        return true;
    };

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private void start(boolean requireKey, boolean console) throws Exception {
        Duration time = Duration.ofSeconds(10);
        HttpConfig listen =
                new HttpConfig(true, "127.0.0.1", 0, 4, 10, 10, time, time, time, DataSize.ofKiB(1), time, Set.of());
        OpsConfig config = new OpsConfig(listen, false, requireKey, console, Set.of());
        server.setHandler(new OpsHandler(
                new CollectorRegistry(),
                () -> new Readiness.Status(true, "serving"),
                new OpsAccess(config, () -> null),
                console,
                () -> API));
        server.addConnector(connector);
        server.start();
    }

    private HttpTester.Response ask(String method, String path, String... headers) throws Exception {
        String request = "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s\r\n"
                .formatted(
                        method,
                        path,
                        Stream.of(headers).map(its -> its + "\r\n").reduce("", String::concat));
        return HttpTester.parseResponse(connector.getResponse(request));
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(FILES)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyFileOfTheConsoleIsServedAndNothingMayComeFromElsewhere() throws Exception {
        start(true, true);
        assertThat(files()).hasSizeGreaterThan(10);
        for (Path file : files()) {
            String path = "/console/" + FILES.relativize(file);
            HttpTester.Response answer = ask("GET", path);
            assertThat(answer.getStatus()).as(path).isEqualTo(200);
            assertThat(answer.getContent()).isEqualTo(text(file));
            assertThat(answer.get("Content-Security-Policy"))
                    .contains("default-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'")
                    .doesNotContain("unsafe");
            assertThat(answer.get("Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(answer.get("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
            assertThat(answer.get("Cache-Control")).isEqualTo("no-cache");
        }
        assertThat(ask("GET", "/console/").getContent()).isEqualTo(text(FILES.resolve("index.html")));
        assertThat(ask("GET", "/console/").get("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(ask("GET", "/console/console.js").get("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        assertThat(ask("GET", "/console/uplot/uPlot.iife.min.js").getContent()).contains("uPlot");
        assertThat(ask("GET", "/console").getStatus()).isEqualTo(308);
        assertThat(ask("GET", "/console").get("Location")).isEqualTo("/console/");
    }

    @Test
    void fileThatTheBrowserHasIsNotSentAgain() throws Exception {
        start(false, true);
        HttpTester.Response first = ask("GET", "/console/api.js");
        HttpTester.Response again = ask("GET", "/console/api.js", "If-None-Match: " + first.get("ETag"));
        assertThat(again.getStatus()).isEqualTo(304);
        assertThat(again.getContent()).isEmpty();
        assertThat(ask("GET", "/console/api.js", "If-None-Match: \"other\"").getStatus())
                .isEqualTo(200);
        HttpTester.Response head = ask("HEAD", "/console/api.js");
        assertThat(head.getStatus()).isEqualTo(200);
        assertThat(head.getContent()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/console/nothing.js",
                "/console/../openapi.yaml",
                "/console/%2e%2e/openapi.yaml",
                "/console/..%2fopenapi.yaml",
                "/console//etc/passwd.js",
                "/console/pages",
                "/console/pages/",
                "/console/pages/../console.js.map",
                "/console/uplot/../../../../openapi.yaml",
                "/console/uplot/package.json",
                "/console/.js",
                "/console/%00.js",
                "/consoles/console.js"
            })
    void whatIsNotOfTheConsoleIsNotServed(String path) throws Exception {
        start(false, true);
        assertThat(ask("GET", path).getStatus()).as(path).isIn(400, 404);
    }

    @Test
    void filesAreOnlyRead() throws Exception {
        start(false, true);
        HttpTester.Response answer = ask("POST", "/console/", "Content-Length: 0");
        assertThat(answer.getStatus()).isEqualTo(405);
        assertThat(answer.get("Allow")).isEqualTo("GET, HEAD");
    }

    @Test
    void jsonInterfaceIsAskedWithEveryMethod() throws Exception {
        start(false, true);
        assertThat(ask("GET", "/v1/topics?limit=1").getContent()).isEqualTo("GET /v1/topics?limit=1");
        assertThat(ask("DELETE", "/v1/topics/t").getContent()).isEqualTo("DELETE /v1/topics/t");
        assertThat(ask("GET", "/v1").getStatus()).isEqualTo(404);
        assertThat(ask("GET", "/openapi.yaml").getStatus()).isEqualTo(404);
        assertThat(ask("GET", "/v1/topics", "Host: evil.example.com").getStatus())
                .isIn(400, 421);
    }

    @Test
    void withoutTheConsoleThereIsNeither() throws Exception {
        start(false, false);
        for (String path : List.of("/console", "/console/", "/console/console.js", "/v1/topics")) {
            assertThat(ask("GET", path).getStatus()).as(path).isEqualTo(404);
        }
        assertThat(ask("GET", "/").getContent()).doesNotContain("console");
        assertThat(ask("DELETE", "/v1/topics/t").getStatus()).isEqualTo(405);
    }

    @Test
    void textIsNeverMadeToElementsAndNothingIsLoadedFromElsewhere() throws Exception {
        for (Path file : files()) {
            assertThat(text(file))
                    .as(file.toString())
                    .doesNotContainPattern(MARKUP)
                    .doesNotContainPattern(ELSEWHERE);
        }
        assertThat(text(FILES.resolve("index.html"))).doesNotContain("style=", "<style", "onclick");
    }
}
