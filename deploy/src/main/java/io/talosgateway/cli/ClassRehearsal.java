package io.talosgateway.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.talosgateway.loadgen.Loadgen;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.bootstrap.Gateway;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.journal.hdfs.HdfsJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import picocli.CommandLine;

/**
 * Does once, in this process, what the programs of the distribution do, so that the JVM sees which classes they need. The script
 * {@code talos-share-classes} runs it.
 */
public final class ClassRehearsal {

    private static final Duration HDFS_TIMEOUT = Duration.ofSeconds(10);

    private ClassRehearsal() {}

    /** @param arguments a folder, which is made */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        Path keys = folder.resolve("keys.json");
        KeyFile.create(keys, "root", true, InstantSource.system());
        Map<String, String> settings = Map.of("data.directory", folder.toString(), "http.port", "0", "ops.port", "0");
        try (Gateway gateway = Gateway.start(GatewayConfig.of(settings))) {
            String endpoint = "http://127.0.0.1:" + gateway.port();
            String ops = "http://127.0.0.1:" + gateway.opsPort();
            command(TalosGateway.commandLine(), Stream.of("health", "--ops", ops, "--wait", "60"));
            List<String> access = List.of("--endpoint", endpoint, "--key-file", keys.toString());
            for (String command : List.of(
                    "topic create demo",
                    "topic list",
                    "topic describe demo",
                    "put demo hello world",
                    "get demo --max 10",
                    "group reset demo app --to latest",
                    "group describe demo app",
                    "quota describe --topic demo",
                    "key list")) {
                Stream<String> where =
                        command.startsWith("key") ? Stream.of("--key-file", keys.toString()) : access.stream();
                command(TalosGateway.commandLine(), Stream.concat(Stream.of(command.split(" ")), where));
            }
            for (String format : List.of("raw", "json", "thrift")) {
                String run =
                        "run --format %s --size 1KiB --put-threads 2 --get-threads 2 --partitions 2 --warmup 0s --duration 1s "
                                + "--ops %s --out %s";
                Stream<String> words = Stream.of(run.formatted(format, ops, folder.resolve("run-" + format))
                        .split(" "));
                command(Loadgen.commandLine(), Stream.concat(words, access.stream()));
            }
        }
        openHdfs();
        System.exit(0);
    }

    /** As far as it comes without an HDFS: nobody listens at the address, as the socket is only held. */
    private static void openHdfs() throws IOException {
        try (Socket held = new Socket()) {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            StorageConfig config = new StorageConfig(
                    URI.create("hdfs://127.0.0.1:%d/none".formatted(held.getLocalPort())),
                    HDFS_TIMEOUT,
                    HDFS_TIMEOUT,
                    Map.of("ipc.client.connect.max.retries", "0"));
            HdfsJournalStorage.open(config).close();
        } catch (IOException expected) {
            if (!String.valueOf(expected.getMessage()).startsWith("Cannot use the storage")) {
                throw expected;
            }
        }
    }

    private static void command(CommandLine program, Stream<String> words) {
        String[] arguments = words.toArray(String[]::new);
        if (program.execute(arguments) != 0) {
            throw new IllegalStateException("failed: " + String.join(" ", arguments));
        }
    }
}
