package io.talosgateway.benchmarks.kafka;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.loadgen.process.Lifetime;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One Kafka broker on loopback in a process of its own. What it stored is deleted when it ends. */
@Command(
        name = "kafka-server",
        description =
                "Runs one Kafka broker (KRaft, its own controller) on loopback until it is interrupted, then deletes "
                        + "its data.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class KafkaServer implements Callable<Integer> {

    private static final String HOST = "127.0.0.1";
    private static final String CLIENTS = "PLAINTEXT://";

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            required = true,
            description = "Where its data is; made and formatted for it, and deleted at the end.")
    private @Nullable Path directory;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "120",
            description = "Of a topic, which is made when somebody first asks for it. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--flush-messages",
            paramLabel = "N",
            defaultValue = "0",
            description = {
                "Force a partition to the disk after so many messages, before they are acknowledged "
                        + "(log.flush.interval.messages). 1: every put.",
                "Default: never; the operating system writes when it likes."
            })
    private int flushMessages;

    @Option(names = "--with-parent", description = "End when standard input does.")
    private boolean withParent;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new KafkaServer()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        Path data = directory;
        if (data == null || Files.exists(data)) {
            System.err.println(
                    "kafka-server: " + data + " exists; name a directory that does not, it is deleted at the end");
            return 1;
        }
        if (flushMessages < 0 || partitions < 1) {
            System.err.println("kafka-server: --flush-messages must be 0 (never) or more, and --partitions 1 or more");
            return 1;
        }
        Properties properties = properties(Files.createDirectories(data).toAbsolutePath(), partitions, flushMessages);
        format(properties);
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
        server.startup();
        System.out.println("Kafka serves at "
                + properties.getProperty("advertised.listeners").substring(CLIENTS.length()));
        Lifetime.live(withParent, () -> {
            server.shutdown();
            Directories.delete(data);
        });
        return 0;
    }

    /**
     * The file beside this class, and what the options say, as in a {@code server.properties}. Its ports are free; nobody else
     * should take them in the moment until the broker has them.
     */
    static Properties properties(Path data, int partitions, int flushMessages) throws IOException {
        Properties properties = new Properties();
        try (InputStream file = KafkaServer.class.getResourceAsStream("server.properties")) {
            properties.load(file);
        }
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket broker = new ServerSocket(0, 1, loopback);
                ServerSocket controller = new ServerSocket(0, 1, loopback)) {
            String clients = "%s%s:%d".formatted(CLIENTS, HOST, broker.getLocalPort());
            String itself = "%s:%d".formatted(HOST, controller.getLocalPort());
            properties.put("listeners", clients + ",CONTROLLER://" + itself);
            properties.put("advertised.listeners", clients);
            properties.put("controller.quorum.voters", "1@" + itself);
        }
        properties.put("log.dirs", data.toString());
        properties.put("num.partitions", Integer.toString(partitions));
        if (flushMessages > 0) {
            properties.put("log.flush.interval.messages", Integer.toString(flushMessages));
        }
        return properties;
    }

    private static void format(Properties properties) throws Exception {
        String data = properties.getProperty("log.dirs");
        try (PrintStream nobody = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setPrintStream(nobody)
                    .setNodeId(Integer.parseInt(properties.getProperty("node.id")))
                    .setClusterId(Uuid.randomUuid().toString())
                    .setControllerListenerName(properties.getProperty("controller.listener.names"))
                    .addDirectory(data)
                    .setMetadataLogDirectory(data)
                    .run();
        }
    }
}
