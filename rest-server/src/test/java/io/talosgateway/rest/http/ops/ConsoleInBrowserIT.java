package io.talosgateway.rest.http.ops;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.rest.HeldPort;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The console in a headless Chromium, where one is installed, beside two gateways under load. Its steps build on each other. It leaves
 * pictures in {@code target/console}; with {@code -Dconsole.pictures=FOLDER} those of the document are put there.
 */
final class ConsoleInBrowserIT {

    private static final int NARROW = 375;
    private static final int WIDE = 1440;
    private static final String INJECTION = "<img src=x onerror=\"document.title='injected'\">";
    private static final Path PICTURES_OF_ALL = Path.of("target", "console");
    private static final List<String> PICTURES = List.of("overview", "topics", "partitions", "group");

    @TempDir
    static Path directory;

    private static HdfsCluster hdfs;
    private static TestingServer zooKeeper;
    private static TestGateway own;
    private static TestGateway other;
    private static final List<HeldPort> PORTS = new ArrayList<>();
    private static Browser browser;
    private static AccessKey key;
    private static AccessKey foreign;
    private static ConsoleLoad load;

    @TestFactory
    Stream<DynamicTest> console() throws Exception {
        if (!Browser.isInstalled()) {
            return Stream.empty();
        }
        start();
        return Stream.of(
                step("a key is asked for", this::signIn),
                step("two readings make rates and percentiles", this::figures),
                step("overview under load", this::overview),
                step("topics are found, created and deleted", this::topics),
                step("a message is put, read, found and followed", this::messages),
                step("text of strangers is text", this::injection),
                step("10,000 partitions", this::manyPartitions),
                step("10 MiB of binary", this::largeMessage),
                step("groups and permissions", this::groups),
                step("keys", this::keys),
                step("another host goes down", this::otherHostDown),
                step("this host goes down", this::ownHostDown),
                step("a foreign key", this::foreignKey));
    }

    private static DynamicTest step(String name, Executable step) {
        return DynamicTest.dynamicTest(name, () -> {
            try {
                step.execute();
            } catch (Throwable e) {
                browser.screenshot(PICTURES_OF_ALL.resolve("failed " + name + ".png"));
                throw e;
            }
        });
    }

    private static void start() throws Exception {
        key = KeyFile.create(directory.resolve("keys.json"), "operations", true, InstantSource.system());
        foreign = KeyFile.create(directory.resolve("keys.json"), "somebody", false, InstantSource.system());
        hdfs = HdfsCluster.start(directory.resolve("hdfs"), 1);
        zooKeeper = new TestingServer(
                new InstanceSpec(directory.resolve("zookeeper").toFile(), -1, -1, -1, false, 1, 500, 1_000), true);
        own = gateway("gateway-1");
        other = gateway("gateway-2");
        for (String topic : List.of("orders", "orders-returned", "payments", "shipments")) {
            ok(own.request("/v1/topics")
                    .POST(BodyPublishers.ofString("{\"name\":\"%s\",\"partitions\":8}".formatted(topic))));
        }
        ok(own.request("/v1/topics").POST(BodyPublishers.ofString("{\"name\":\"many\",\"partitions\":10000}")));
        load = new ConsoleLoad(own).start();
        browser = Browser.start(directory);
        browser.look(WIDE, 900, false);
    }

    private static TestGateway gateway(String host) throws IOException {
        Map<String, String> settings = new HashMap<>();
        settings.put("host.name", host);
        // The page comes from there before and after a restart.
        HeldPort port = new HeldPort();
        PORTS.add(port);
        settings.put("ops.port", Integer.toString(port.number()));
        settings.put("storage.root", hdfs.uri() + "/console");
        settings.put("hadoop.dfs.replication", "1");
        settings.put("zookeeper.connect", zooKeeper.getConnectString());
        settings.put("zookeeper.auth", "hosts:of the console");
        settings.put("zookeeper.session-timeout", "10s");
        settings.put("auth.key-file", directory.resolve("keys.json").toString());
        settings.put("auth.key-encryption-secret", "a secret of at least 32 characters for keys");
        settings.put("topic.max-partitions", "10000");
        settings.put("cluster.join-delay", "100ms");
        settings.put("cluster.removal-delay", "20s");
        settings.put("cluster.stop-notice", "0s");
        settings.put("cluster.on-stop", host.equals("gateway-2") ? "wait" : "release");
        return TestGateway.start(directory.resolve(host), settings, key);
    }

    @AfterAll
    static void stop() throws Exception {
        for (AutoCloseable one : new AutoCloseable[] {browser, load, other, own, zooKeeper, hdfs}) {
            if (one != null) {
                one.close();
            }
        }
        for (HeldPort port : PORTS) {
            port.close();
        }
    }

    private static void ok(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer = own.send(request.build());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    }

    private static void go(String hash) throws Exception {
        browser.run("location.hash = arguments[0]", hash);
    }

    private void signIn() throws Exception {
        browser.open("http://127.0.0.1:" + own.opsPort() + "/console");
        browser.awaitText("Sign in");
        fits();
        browser.type("Key id", key.id());
        browser.typeAndEnter("Secret", "wrong");
        browser.awaitText("unauthenticated");
        browser.type("Key id", key.id());
        browser.typeAndEnter("Secret", key.secret());
        browser.awaitText("gateway-2");
        assertThat(browser.run("return localStorage.length + document.cookie").asText())
                .isEqualTo("0");
        browser.reload();
        browser.awaitText("gateway-2");
    }

    private void figures() throws Exception {
        JsonNode compared = browser.run("""
                const reading = (atMs, fast, slow) => ({
                    atMs, cpuSeconds: atMs / 1000, processors: 2, receivedBytes: fast, sentBytes: 0,
                    requests: [
                        { requestClass: "put", outcome: "ok", count: fast },
                        { requestClass: "put", outcome: "throttled", count: slow },
                    ],
                    latencies: [
                        { requestClass: "put", buckets: [{ upToSeconds: .001, count: fast }, { upToSeconds: .5, count: slow }] },
                        { requestClass: "get", buckets: [] },
                    ],
                });
                return import("/console/figures.js").then(({ compare }) => ({
                    some: compare(reading(1000, 10, 1), reading(3000, 206, 5)),
                    restarted: compare(reading(3000, 206, 5), reading(5000, 3, 1)),
                }));
                """);
        JsonNode some = compared.get("some");
        assertThat(some.get("puts").asDouble()).isEqualTo(100);
        assertThat(some.get("putP50").asDouble()).isEqualTo(.001);
        assertThat(some.get("putP99").asDouble()).isEqualTo(.5);
        assertThat(some.get("getP99").isNull()).isTrue();
        assertThat(some.get("cpu").asDouble()).isEqualTo(.5);
        assertThat(some.get("errors").get(0).get("rate").asDouble()).isEqualTo(2);
        assertThat(compared.get("restarted").isNull()).isTrue();
    }

    private void overview() throws Exception {
        browser.await("document.querySelectorAll('.plot canvas').length === 2");
        browser.await("Number.parseFloat(document.querySelector('.tile b').textContent) > 5");
        browser.await("/put P99 \\d/.test(document.querySelectorAll('.plot')[1].getAttribute('aria-label'))");
        // Long enough for a few samples.
        stays("document.querySelectorAll('.plot')[0].getAttribute('aria-label')", 3);
        fits("overview");
    }

    private void topics() throws Exception {
        browser.press("Topics");
        browser.await("document.querySelectorAll('tbody tr').length === 5");
        browser.await(
                "Number.parseInt(document.querySelector('tbody tr:last-child td:nth-of-type(3)').textContent) >= 0");
        stays("document.querySelector('tbody').textContent", 2);
        fits("topics");
        browser.type("Filter by prefix", "orders");
        browser.await("document.querySelectorAll('tbody tr').length === 2");
        browser.press("Create a topic");
        browser.type("Name", "orders");
        browser.press("Create");
        browser.awaitText("topic-exists");
        browser.type("Name", "made-here");
        browser.press("Create");
        browser.await("document.querySelectorAll('tbody tr').length === 8 && location.hash === '#/topics/made-here'");
        fits();
        browser.press("Delete this topic");
        browser.type("Type the name of the topic to confirm", "made");
        assertThat(browser.run("return document.querySelector('dialog .danger').disabled")
                        .asBoolean())
                .isTrue();
        browser.type("Type the name of the topic to confirm", "made-here");
        browser.press("Delete it");
        browser.await("location.hash === '#/topics' && document.querySelectorAll('tbody tr').length === 5");
        assertThat(own.send(own.request("/v1/topics/made-here").build()).statusCode())
                .isEqualTo(404);
    }

    private void messages() throws Exception {
        go("#/topics/shipments/put");
        browser.type("Value", "{\"parcel\": 17, \"to\": \"Zürich\"}");
        browser.choose("Value is", "JSON");
        browser.type("Key", "parcel-17");
        browser.type("Partition", "3");
        fits("put");
        browser.press("Put the message");
        browser.awaitText("Stored in partition 3 at offset 0");
        browser.choose("Value is", "Text");
        browser.type("Value", "a second one");
        browser.press("Put the message");
        browser.awaitText("Stored in partition 3 at offset 1");
        browser.press("Read the newest messages of that partition");
        browser.awaitText("{\"parcel\":17,\"to\":\"Zürich\"}");
        browser.awaitText("a second one");
        browser.press("Open the message at offset 0");
        browser.await("document.querySelector('dialog pre').textContent.includes('Zürich')");
        browser.press("Close");
        browser.type("Search for text (not case-sensitive)", "SECOND");
        browser.press("Search");
        browser.awaitText("offsets 0 to 1: 2 messages");
        browser.await("document.querySelectorAll('tbody tr').length === 1");

        go("#/topics/shipments/follow");
        browser.type("Partition", "3");
        browser.press("Follow the partition");
        browser.awaitText("Following partition 3");
        ok(own.request("/v1/topics/shipments/partitions/3/messages")
                .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"while it is followed\"}]}")));
        browser.awaitText("while it is followed");
        fits("follow");
        browser.press("Stop");

        go("#/topics/orders/messages");
        browser.type("Partition", "0");
        browser.press("Read");
        browser.await("document.querySelectorAll('tbody tr').length > 3");
        fits("messages");
    }

    private void injection() throws Exception {
        String json =
                "{\"messages\":[{\"key\":\"<b>k</b>\",\"value\":\"%s\"}]}".formatted(INJECTION.replace("\"", "\\\""));
        ok(own.request("/v1/topics/shipments/partitions/5/messages").POST(BodyPublishers.ofString(json)));
        go("#/topics/shipments/messages");
        browser.type("Search for text (not case-sensitive)", "");
        browser.type("Partition", "5");
        browser.press("Read");
        browser.awaitText("onerror=");
        browser.press("Open the message at offset 0");
        browser.await("document.querySelector('dialog pre').textContent.startsWith('<img')");
        assertThat(browser.run("return document.querySelectorAll('main img, dialog img, td b').length")
                        .asInt())
                .isZero();
        assertThat(browser.run("return document.title").asText()).doesNotContain("injected");
        browser.press("Close");
        go("#/topics/" + "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E");
        browser.awaitText("invalid-name");
        assertThat(browser.run("return document.querySelectorAll('main img').length")
                        .asInt())
                .isZero();
        assertThat(browser.errors()).isEmpty();
    }

    private void manyPartitions() throws Exception {
        go("#/topics/many");
        browser.await("document.querySelectorAll('tbody tr').length === 100");
        browser.awaitText("All partitions: 0 messages");
        browser.type("Go to partition", "9950\t");
        browser.awaitText("9,900 to 9,999 of 10,000");
        assertThat(browser.run("return document.querySelectorAll('*').length").asInt())
                .isLessThan(2_000);
        stays("document.querySelector('tbody').textContent.length", 1);
        fits("partitions");
        browser.press("Topics");
        browser.await("document.querySelectorAll('tbody tr').length === 5");
        ok(own.request("/v1/topics/many").DELETE());
    }

    private void largeMessage() throws Exception {
        byte[] binary = new byte[10 << 20];
        new Random(1).nextBytes(binary);
        ok(own.request("/v1/topics/payments/partitions/2/messages")
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofByteArray(binary)));
        go("#/topics/payments/messages");
        browser.type("Partition", "2");
        browser.press("Read");
        browser.awaitText("10.0 MiB");
        browser.press("Open the message at offset 0");
        browser.await("document.querySelector('dialog pre').textContent.startsWith('000000  "
                + "%02x %02x".formatted(binary[0], binary[1]) + "')");
        browser.awaitText("The first 1.0 KiB of 10.0 MiB.");
        assertThat(browser.run("return document.documentElement.outerHTML.length")
                        .asInt())
                .isLessThan(100_000);
        fits("binary");
        browser.run("const make = URL.createObjectURL;"
                + "URL.createObjectURL = blob => { window.downloaded = blob.size; return make.call(URL, blob); }");
        browser.press("Download");
        browser.await("window.downloaded === " + binary.length);
        browser.press("Close");
    }

    private void groups() throws Exception {
        go("#/groups");
        browser.awaitText("billing");
        fits("groups");
        go("#/topics/orders/groups");
        browser.awaitText("billing");
        browser.run("[...document.querySelectorAll('td button')].find(it => it.textContent === 'Partitions').click()");
        browser.awaitText("Group billing");
        fits("group");
        go("#/topics/orders/permissions");
        browser.type("Principal", "somebody-else");
        browser.press("Grant");
        browser.awaitText("get, describe");
        fits("permissions");
        browser.press("Revoke what somebody-else was granted");
        browser.awaitText("Nobody else was granted anything");
    }

    private void keys() throws Exception {
        browser.press("Keys");
        browser.awaitText(foreign.id());
        browser.press("Create a key");
        browser.type("Owner", "billing");
        browser.choose("May", "Reader: get, describe");
        browser.type("Only topics (patterns)", "orders*");
        browser.press("Create");
        browser.awaitText("This is the only time that the secret is shown");
        browser.press("Copied; hide it");
        browser.awaitText("orders*");
        fits("keys");
        browser.run("[...document.querySelectorAll('td button')].find(it => it.textContent === 'Disable').click()");
        browser.press("Disable");
        browser.await("document.querySelector('tbody').innerText.includes('disabled')");
    }

    private void otherHostDown() throws Exception {
        go("#/");
        browser.await("document.querySelectorAll('.state.good').length >= 2");
        other.stop();
        browser.await("document.querySelector('tbody').innerText.match(/gateway-2[^]*restarting/)");
        browser.awaitText("partition-not-serving");
        assertThat(browser.run("return document.getElementById('outage').hidden")
                        .asBoolean())
                .isTrue();
        fits("other-host-down");
        other.startAgain();
        browser.await("document.querySelector('tbody').innerText.match(/gateway-2[^]*serving/)");
    }

    private void ownHostDown() throws Exception {
        go("#/topics/shipments/put");
        browser.type("Value", "typed before the host went down");
        own.stop();
        browser.awaitText("This host has not answered since");
        browser.press("Put the message");
        browser.awaitText("no-answer");
        fits("host-down");
        assertThat(browser.run("return document.querySelector('textarea').value")
                        .asText())
                .isEqualTo("typed before the host went down");
        own.startAgain();
        browser.await("document.getElementById('outage').hidden");
        assertThat(browser.run("return document.querySelector('textarea').value")
                        .asText())
                .isEqualTo("typed before the host went down");
        browser.press("Put the message");
        browser.awaitText("Stored in partition");
    }

    private void foreignKey() throws Exception {
        browser.press("Sign out");
        browser.type("Key id", foreign.id());
        browser.typeAndEnter("Secret", foreign.secret());
        browser.awaitText("There are no topics that this key may describe");
        assertThat(browser.run("return document.getElementById('nav').innerText")
                        .asText())
                .contains("Topics")
                .doesNotContain("Keys", "Overview");
        fits("foreign-key");
        go("#/topics/orders");
        browser.awaitText("topic-not-found");
        go("#/");
        browser.awaitText("permission-denied");
        go("#/keys");
        browser.await("document.querySelector('h1').textContent === 'Keys'");
        browser.awaitText("permission-denied");
        fits();
    }

    // --- What every page has to be ---

    /** Waits until an expression has changed so many times, and makes sure that the page did not move meanwhile. */
    private static void stays(String changing, int times) throws Exception {
        browser.run(
                "window.until = performance.now() + 4000; window.shifts = []; window.watching?.disconnect(); window.watching = new PerformanceObserver(list => "
                        + "list.getEntries().forEach(it => window.shifts.push([it.value, ...it.sources.map(its => its.node?.outerHTML?.slice(0, 80))])));"
                        + "window.watching.observe({type: 'layout-shift'});"
                        + "window.changes = 0; let before; clearInterval(window.looking); window.looking = setInterval(() => {"
                        + "const now = String(%s); if (now !== before) { before = now; window.changes++; } }, 100);"
                                .formatted(changing));
        if (times > 1) {
            browser.await("window.changes > " + times);
        } else {
            browser.await("performance.now() > window.until");
        }
        assertThat(browser.run(
                                "clearInterval(window.looking); return window.shifts.reduce((sum, it) => sum + it[0], 0)")
                        .asDouble())
                .as("layout shift: " + browser.run("return window.shifts"))
                .isLessThan(0.1);
    }

    /** Looks at the page in both widths and schemes: nothing is cut off or unreadable, and nothing failed. */
    private static void fits(String... pictures) throws Exception {
        for (int width : new int[] {NARROW, WIDE}) {
            for (boolean dark : new boolean[] {false, true}) {
                browser.look(width, width == NARROW ? 760 : 900, dark);
                String where = width + (dark ? " dark" : " light");
                assertThat(browser.run("return document.documentElement.scrollWidth")
                                .asInt())
                        .as("width at " + where)
                        .isLessThanOrEqualTo(width);
                assertThat(browser.run(ConsoleChecks.UNLABELLED))
                        .as("fields without a label")
                        .isEmpty();
                assertThat(browser.run(ConsoleChecks.PALE))
                        .as("contrast at " + where)
                        .isEmpty();
                for (String picture : pictures) {
                    // The plots have drawn themselves anew.
                    browser.run(
                            "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))");
                    String file = "%s-%d-%s.png".formatted(picture, width, dark ? "dark" : "light");
                    browser.screenshot(PICTURES_OF_ALL.resolve(file));
                    String folder = System.getProperty("console.pictures", "");
                    if (!folder.isEmpty() && PICTURES.contains(picture) && dark == (width == NARROW)) {
                        browser.screenshot(Path.of(folder, file));
                    }
                }
            }
        }
        browser.look(WIDE, 900, false);
        assertThat(browser.run(ConsoleChecks.NAMELESS))
                .as("controls without a name")
                .isEmpty();
        assertThat(browser.run("return document.querySelectorAll('main, h1').length")
                        .asInt())
                .isGreaterThanOrEqualTo(2);
        assertThat(browser.errors()).isEmpty();
    }
}
