package io.talosgateway.rest.http.ops;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** A headless Chromium, driven by way of chromedriver, where both are installed. For one thread. */
public final class Browser implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern STARTED = Pattern.compile("started successfully on port (\\d+)");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ENTER = "\ue007";
    /** What a reference to an element is called in JSON, by the WebDriver standard. */
    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

    private final HttpClient client = HttpClient.newHttpClient();
    private final Process driver;
    private final String session;

    private Browser(Process driver, String driverAddress, Path profile) throws IOException, InterruptedException {
        this.driver = driver;
        Map<String, Object> options = Map.of(
                "binary",
                find("chromium", "chromium-browser", "google-chrome")
                        .orElseThrow()
                        .toString(),
                "args",
                List.of(
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--hide-scrollbars",
                        "--user-data-dir=" + profile));
        Object wanted = Map.of(
                "capabilities",
                Map.of(
                        "alwaysMatch",
                        Map.of(
                                "goog:chromeOptions",
                                options,
                                "goog:loggingPrefs",
                                Map.of("browser", "ALL"),
                                "pageLoadStrategy",
                                "normal",
                                // By default a script that waits is ended after 30 s, however patient it is.
                                "timeouts",
                                Map.of("script", PATIENCE.toMillis()))));
        String id = post(driverAddress + "/session", wanted).get("sessionId").asText();
        this.session = driverAddress + "/session/" + id;
    }

    /** Whether a browser can be had here. */
    public static boolean isInstalled() {
        return find("chromium", "chromium-browser", "google-chrome").isPresent()
                && find("chromedriver").isPresent();
    }

    private static Optional<Path> find(String... names) {
        List<String> folders =
                List.of(String.valueOf(System.getenv("PATH")).split(Pattern.quote(File.pathSeparator), -1));
        return Arrays.stream(names)
                .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** @param directory an empty one */
    public static Browser start(Path directory) throws IOException, InterruptedException {
        Process driver = new ProcessBuilder(find("chromedriver").orElseThrow().toString(), "--port=0")
                .redirectErrorStream(true)
                .start();
        try {
            return new Browser(driver, "http://127.0.0.1:" + port(driver), directory.resolve("profile"));
        } catch (IOException | InterruptedException | RuntimeException e) {
            driver.destroyForcibly();
            throw e;
        }
    }

    private static int port(Process driver) throws IOException {
        BufferedReader output = driver.inputReader();
        List<String> said = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher matcher = STARTED.matcher(line);
            if (matcher.find()) {
                return Integer.parseInt(matcher.group(1));
            }
            said.add(line);
        }
        throw new IOException("chromedriver does not start: " + said);
    }

    private JsonNode post(String address, Object json) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address))
                .timeout(PATIENCE.plus(PATIENCE))
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(json)))
                .build());
    }

    private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
        JsonNode value = JSON.readTree(
                        client.send(request, BodyHandlers.ofString()).body())
                .get("value");
        if (value.has("error")) {
            throw new IOException(
                    value.get("error").asText() + ": " + value.get("message").asText());
        }
        return value;
    }

    void open(String address) throws IOException, InterruptedException {
        post(session + "/url", Map.of("url", address));
    }

    void reload() throws IOException, InterruptedException {
        post(session + "/refresh", Map.of());
    }

    /** What a function with this body returns in the page. */
    JsonNode run(String script, Object... arguments) throws IOException, InterruptedException {
        return post(session + "/execute/sync", Map.of("script", script, "args", List.of(arguments)));
    }

    /** Waits until an expression is true in the page. */
    void await(String condition) throws IOException, InterruptedException {
        String script = """
                const [until, done] = arguments;
                const end = Date.now() + until;
                const holds = () => { try { return Boolean(%s); } catch { return false; } };
                const look = () => {
                    const found = holds();
                    found || Date.now() > end ? done(found ? "" : document.body.innerText) : setTimeout(look, 50);
                };
                look();
                """.formatted(condition);
        JsonNode page = post(
                session + "/execute/async", Map.of("script", script, "args", List.of(PATIENCE.toMillis() - 5_000)));
        assertThat(page.asText()).as("page while waiting for " + condition).isEmpty();
    }

    /** Waits until the page has such a text. */
    void awaitText(String text) throws IOException, InterruptedException {
        await("document.body.innerText.includes(" + JSON.writeValueAsString(text) + ")");
    }

    /** The element, once it can be seen, as a reference of the driver. */
    private String element(String xpath) throws IOException, InterruptedException {
        await(
                "[...(r => { const all = []; for (let n; (n = r.iterateNext());) all.push(n); return all; })(document.evaluate("
                        + JSON.writeValueAsString(xpath) + ", document))].some(it => it.getClientRects().length > 0)");
        JsonNode found = post(session + "/elements", Map.of("using", "xpath", "value", xpath));
        for (JsonNode one : found) {
            String id = one.elements().next().asText();
            if (send(HttpRequest.newBuilder(URI.create(session + "/element/" + id + "/displayed"))
                            .build())
                    .asBoolean()) {
                return id;
            }
        }
        throw new IOException("there is nothing to be seen at " + xpath);
    }

    /** Presses a button, or follows a link, with this text or this name for screen readers. */
    void press(String name) throws IOException, InterruptedException {
        String xpath = "//*[self::button or self::a][normalize-space()='%s' or @aria-label='%s'][not(@disabled)]"
                .formatted(name, name);
        // Those of a dialog, which is the last one, first: it covers the others.
        String inDialog = "//dialog[@open]" + xpath;
        boolean dialog =
                run("return document.querySelector('dialog[open]') !== null").asBoolean();
        post(session + "/element/" + element(dialog ? inDialog : xpath) + "/click", Map.of());
    }

    private String labelled(String label) throws IOException, InterruptedException {
        return element("//*[@id=//label[normalize-space()='%s']/@for]".formatted(label));
    }

    /** Types into the field with this label, in place of what is there. */
    void type(String label, String text) throws IOException, InterruptedException {
        String id = labelled(label);
        post(session + "/element/" + id + "/clear", Map.of());
        post(session + "/element/" + id + "/value", Map.of("text", text));
    }

    void typeAndEnter(String label, String text) throws IOException, InterruptedException {
        type(label, text + ENTER);
    }

    /** Chooses what has this text in the field with this label. */
    void choose(String label, String text) throws IOException, InterruptedException {
        String script = """
                const [select, text] = arguments;
                select.value = [...select.options].find(option => option.text === text).value;
                ["input", "change"].forEach(type => select.dispatchEvent(new Event(type, { bubbles: true })));
                """;
        run(script, Map.of(ELEMENT, labelled(label)), text);
    }

    /** Shows the page as wide as this, in the light or dark scheme. */
    void look(int width, int height, boolean dark) throws IOException, InterruptedException {
        devtools(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        devtools(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    private JsonNode devtools(String command, Map<String, ?> parameters) throws IOException, InterruptedException {
        return post(session + "/goog/cdp/execute", Map.of("cmd", command, "params", parameters));
    }

    /** What can be seen, as a PNG. */
    void screenshot(Path file) throws IOException, InterruptedException {
        JsonNode taken = devtools("Page.captureScreenshot", Map.of("format", "png", "optimizeForSpeed", false));
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, Base64.getDecoder().decode(taken.get("data").asText()));
    }

    /** Errors that were written to the console of the browser since this was last called, without those of a refused request. */
    List<String> errors() throws IOException, InterruptedException {
        JsonNode entries = post(session + "/se/log", Map.of("type", "browser"));
        return Stream.iterate(0, index -> index < entries.size(), index -> index + 1)
                .map(entries::get)
                .filter(entry -> entry.get("level").asText().equals("SEVERE")
                        && !entry.get("source").asText().equals("network"))
                .map(entry -> entry.get("message").asText())
                .toList();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        try {
            send(HttpRequest.newBuilder(URI.create(session)).DELETE().build());
        } finally {
            driver.destroy();
        }
    }
}
