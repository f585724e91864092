package io.talosgateway.rest.bootstrap;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

import io.talosgateway.rest.Await;

import static org.assertj.core.api.Assertions.assertThat;

/** A gateway in a process of its own, which can be paused. */
public final class GatewayInProcess implements AutoCloseable {

    private final Process process;
    private final int port;

    private GatewayInProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts a gateway; returns when it serves. */
    public static GatewayInProcess start(Path directory, Map<String, String> settings) throws Exception {
        Files.createDirectories(directory);
        Path portFile = directory.resolve("port");
        Path output = directory.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                GatewayInProcess.class.getName(),
                portFile.toString()));
        Map<String, String> all = new HashMap<>(settings);
        all.put("data.directory", directory.toString());
        List.of("http.port", "ops.port", "peer.port").forEach(name -> all.put(name, "0"));
        all.forEach((name, value) -> command.add(name + "=" + value));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile())
                .start();
        Await.asLongAs(() -> process.isAlive() && !Files.exists(portFile));
        assertThat(process.isAlive()).as(Files.readString(output)).isTrue();
        return new GatewayInProcess(process, Integer.parseInt(Files.readString(portFile)));
    }

    /** The process: a file for its port, then settings. */
    public static void main(String[] arguments) throws Exception {
        Map<String, String> settings = new HashMap<>();
        for (String setting : List.of(arguments).subList(1, arguments.length)) {
            int equals = setting.indexOf('=');
            settings.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        Gateway gateway = Gateway.start(GatewayConfig.of(settings));
        Path portFile = Path.of(arguments[0]);
        Path unfinished = portFile.resolveSibling("port.tmp");
        Files.writeString(unfinished, Integer.toString(gateway.port()));
        Files.move(unfinished, portFile, StandardCopyOption.ATOMIC_MOVE);
        new CountDownLatch(1).await();
    }

    int port() {
        return port;
    }

    void pause() throws Exception {
        signal("STOP");
    }

    void resume() throws Exception {
        signal("CONT");
    }

    private void signal(String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
