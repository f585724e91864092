package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import io.talosgateway.loadgen.experiment.engine.Server;
import io.talosgateway.loadgen.process.ChildProcess;

/**
 * One Kafka broker with its own controller, in a process of its own, on the local disk; Kafka's defaults but for what is said.
 *
 * @param partitions of its topics
 * @param flushMessages after how many messages a partition is forced to the disk, before they are answered; 0 for Kafka's
 *     default, which leaves it to the operating system
 */
record KafkaBroker(int partitions, int flushMessages) implements Server {

    private static final String MAIN = "io.talosgateway.benchmarks.kafka.KafkaServer";
    private static final Pattern SERVES = Pattern.compile("Kafka serves at (\\S+)");
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    /** Those of Kafka's own start script. */
    private static final List<String> JAVA_OPTIONS = List.of(
            "-Xms1g",
            "-Xmx1g",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent");

    @Override
    public Running start(Place place) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                "--directory",
                place.directory().resolve("kafka").toString(),
                "--partitions",
                Integer.toString(partitions),
                "--with-parent"));
        if (flushMessages > 0) {
            arguments.addAll(List.of("--flush-messages", Integer.toString(flushMessages)));
        }
        ChildProcess process = place.interruption().add(place.programs().kit("Kafka", MAIN, JAVA_OPTIONS, arguments));
        return new Running(process, process.awaitLine(SERVES, START_TIMEOUT).group(1), null, null, null);
    }

    /** Not on HDFS. */
    @Override
    public boolean stores() {
        return false;
    }

    @Override
    public boolean ofKit() {
        return true;
    }

    @Override
    public String text() {
        return "one Kafka broker (KRaft)%s, JVM %s"
                .formatted(
                        flushMessages == 0 ? " with its defaults" : ", log.flush.interval.messages=" + flushMessages,
                        String.join(" ", JAVA_OPTIONS));
    }
}
