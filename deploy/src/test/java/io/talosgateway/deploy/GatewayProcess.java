package io.talosgateway.deploy;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;

/** The gateway as users run it: a process of the distribution's start script. */
final class GatewayProcess implements AutoCloseable {

    static final Path DISTRIBUTION = Path.of("target/talos-gateway").toAbsolutePath();

    private static final Pattern SERVING =
            Pattern.compile("serves at (?:http://127\\.0\\.0\\.1:(\\d+))?(?: and )?(?:https://127\\.0\\.0\\.1:(\\d+))?"
                    + " \\(operations at http://127\\.0\\.0\\.1:(\\d+)\\)");
    private static final long START_TIMEOUT_MS = 180_000;
    private static final HttpClient OPS_CLIENT = HttpClient.newHttpClient();

    private final Path directory;
    private final Map<String, String> settings;
    /** Also while it does not run: it has to be found again where it was. */
    private final List<HeldPort> ports = new ArrayList<>();

    private final AccessKey key;
    private Process process;
    private int port;
    private int tlsPort;
    private int opsPort;
    private int starts;

    private GatewayProcess(Path directory, Map<String, String> settings) throws IOException {
        this.directory = directory;
        this.settings = new TreeMap<>(settings);
        this.settings.putIfAbsent("data.directory", directory.toString());
        this.settings.putIfAbsent("http.port", "0");
        this.settings.putIfAbsent("ops.port", "0");
        this.settings.putIfAbsent("peer.port", "0");
        this.settings.putIfAbsent("warm-up.time", "0s");
        // A slow machine keeps them, too.
        this.settings.putIfAbsent("http.request-timeout", "60s");
        this.settings.putIfAbsent("forward.connect-timeout", "60s");
        this.settings.putIfAbsent("peer.handshake-timeout", "60s");
        for (String name : List.of("http.port", "tls.port", "ops.port")) {
            if ("0".equals(this.settings.get(name))) {
                HeldPort held = new HeldPort();
                ports.add(held);
                this.settings.put(name, String.valueOf(held.number()));
            }
        }
        this.key = KeyFile.create(directory.resolve("keys.json"), "tester", true, InstantSource.system());
    }

    /** A gateway on ports of the system's choosing, with an admin key, that is not started yet. */
    static GatewayProcess notStarted(Path directory, Map<String, String> settings) throws IOException {
        return new GatewayProcess(directory, settings);
    }

    /** Starts a gateway on ports of the system's choosing, with an admin key; returns when it serves. */
    static GatewayProcess start(Path directory, Map<String, String> settings) throws Exception {
        GatewayProcess gateway = notStarted(directory, settings);
        try {
            gateway.start();
        } catch (Exception | AssertionError e) {
            gateway.close();
            throw e;
        }
        return gateway;
    }

    /** Starts it again, on the same ports; returns when it serves. */
    void start() throws Exception {
        launch();
        if (!awaitServing()) {
            throw ended();
        }
    }

    /** Starts it again with options for its JVM; returns when it serves, or, with false, when it has ended before. */
    boolean tryStart(String javaOptions) throws Exception {
        launch(Map.of("TALOS_SERVER_JAVA_OPTS", javaOptions));
        return awaitServing();
    }

    private void noteAddresses(Matcher serving) {
        if (serving.group(1) != null) {
            port = Integer.parseInt(serving.group(1));
        }
        if (serving.group(2) != null) {
            tlsPort = Integer.parseInt(serving.group(2));
        }
        opsPort = Integer.parseInt(serving.group(3));
    }

    /** Starts the process, and does not wait until it serves. */
    void launch() throws IOException {
        launch(Map.of());
    }

    private void launch(Map<String, String> environment) throws IOException {
        starts++;
        List<String> arguments = new ArrayList<>(List.of("server"));
        settings.forEach((name, value) -> arguments.addAll(List.of("--set", name + "=" + value)));
        process = run(logFile(), arguments, environment);
    }

    /** Runs the distribution's command, its output into a file. */
    static Process run(Path output, List<String> arguments, Map<String, String> environment) throws IOException {
        return run("talos-gateway", output, arguments, environment);
    }

    /** Runs a command of the distribution, its output into a file. */
    static Process run(String script, Path output, List<String> arguments, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(
                List.of(DISTRIBUTION.resolve("bin").resolve(script).toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        // Programs that run for seconds gain little from the thorough compiler, which takes time of the processors.
        builder.environment().keySet().removeIf(name -> name.startsWith("TALOS_"));
        builder.environment().put("TALOS_SERVER_JAVA_OPTS", "-Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        builder.environment().put("TALOS_LOADGEN_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile())
                .start();
    }

    private Path logFile() {
        return directory.resolve("gateway-" + starts + ".log");
    }

    /** False if it has ended. */
    private boolean awaitServing() throws Exception {
        long deadlineAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_TIMEOUT_MS);
        while (System.nanoTime() - deadlineAtNanos < 0) {
            Matcher serving = SERVING.matcher(log());
            if (serving.find()) {
                noteAddresses(serving);
                return true;
            }
            if (process.waitFor(20, TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        throw new AssertionError("the gateway does not serve:\n" + log());
    }

    /** What it has printed since its last start. */
    String log() throws IOException {
        return Files.readString(logFile(), StandardCharsets.UTF_8);
    }

    /** Lets it run for so long; fails if it ends by itself. */
    void runFor(Duration time) throws Exception {
        if (process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw ended();
        }
    }

    private AssertionError ended() throws IOException {
        return new AssertionError("the gateway ended with status " + process.exitValue() + ":\n" + log());
    }

    /** Waits so long for it to end; its exit status, or nothing if it still runs. */
    OptionalInt exitStatus(Duration wait) throws InterruptedException {
        return process.waitFor(wait.toMillis(), TimeUnit.MILLISECONDS)
                ? OptionalInt.of(process.exitValue())
                : OptionalInt.empty();
    }

    /** {@code kill -9}; returns when it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** {@code kill}; returns its exit status. */
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            throw new AssertionError("the gateway does not stop");
        }
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Has its JVM collect garbage; its metrics tell of that a little later. */
    void collectGarbage() throws Exception {
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process collection = new ProcessBuilder(jcmd, Long.toString(pid()), "GC.run")
                .redirectErrorStream(true)
                .start();
        String output = new String(collection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (collection.waitFor() != 0) {
            throw new AssertionError(output);
        }
    }

    long pid() {
        return process.pid();
    }

    Path directory() {
        return directory;
    }

    AccessKey key() {
        return key;
    }

    String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    String tlsEndpoint() {
        return "https://127.0.0.1:" + tlsPort;
    }

    int opsPort() {
        return opsPort;
    }

    GatewayClient.Builder client() {
        return GatewayClient.builder(URI.create(endpoint())).key(key.id(), key.secret());
    }

    /** The sum of a metric over those of its series that have all these labels, such as {@code source="storage"}. */
    double metric(String name, String... labels) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + opsPort + "/metrics"))
                .build();
        String body =
                OPS_CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
        List<String> series = body.lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .toList();
        if (series.isEmpty()) {
            throw new AssertionError("there is no metric " + name);
        }
        return series.stream()
                .filter(line -> List.of(labels).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Override
    public void close() throws InterruptedException, IOException {
        if (process != null && process.isAlive()) {
            process.destroyForcibly().waitFor();
        }
        for (HeldPort port : ports) {
            port.close();
        }
    }
}
