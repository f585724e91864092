package io.talosgateway.verifier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.SizeConverter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a run does, as options say it. Does not change after {@link #check}. */
public final class VerifyPlan {

    static final int MAX_WRITERS = 1_000;
    static final int MAX_READERS = 100;
    static final int MAX_PARTITIONS = 1_000;
    static final int MAX_SIZE = 1 << 20;
    private static final int ONE_OF_EXPIRES = 4;
    private static final int MOST_SEEDS = 1_000_000;
    private static final String NO_FAULTS = "none";

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "How long there is load and faults. Default: ${DEFAULT-VALUE}.")
    Duration duration = Duration.ZERO;

    @Option(
            names = {"-f", "--faults"},
            paramLabel = "KIND",
            split = ",",
            description = {
                "What happens, some of:",
                "  kill      kill -9 of a gateway; it is started again seconds later",
                "  pause     a gateway is stopped (SIGSTOP) for longer than its ZooKeeper session, and goes on",
                "  partition a gateway is cut off from all others for as long as a pause, and connected again; for a "
                        + "cluster that was brought up with --networks",
                "  restart   a gateway is told to end (SIGTERM), and started again",
                "  datanode  kill -9 of a DataNode; it is started again seconds later",
                "  clock     the clock of a gateway is put forward or back by minutes, hours or days, and later put right",
                "  disk-full HDFS takes no new blocks, as if its disks were full; for a cluster with small journal files, as in "
                        + "'up --set journal.file-size=1MiB'",
                "  namenode  the NameNode is restarted",
                "  zookeeper ZooKeeper is restarted",
                "  power     kill -9 of all processes at the same time, which are started again seconds later",
                "  none      nothing",
                "Default: kill,pause,restart with --cluster, none with --endpoint."
            })
    private List<String> faultNames = new ArrayList<>();

    @Option(
            names = "--fault-every",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "From the beginning of a fault to that of the next. Default: ${DEFAULT-VALUE}.")
    Duration faultEvery = Duration.ZERO;

    @Option(
            names = "--pause-for",
            paramLabel = "TIME",
            defaultValue = "15s",
            description = {
                "How long 'pause' and 'partition' last: longer than zookeeper.session-timeout (10s), so that others take the gateway's "
                        + "partitions over.",
                "Default: ${DEFAULT-VALUE}."
            })
    Duration pause = Duration.ZERO;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The same seed gives the same faults in the same order. Default: another one each time.")
    long seed = new Random().nextInt(MOST_SEEDS);

    @Option(
            names = {"-p", "--partitions"},
            paramLabel = "N",
            defaultValue = "12",
            description = "Partitions of the topic. Default: ${DEFAULT-VALUE}.")
    int partitions;

    @Option(
            names = "--writers",
            paramLabel = "N",
            defaultValue = "8",
            description = {
                "Writers. The first half share out the partitions and wait for each answer before they put to the same "
                        + "partition again; the others put to all partitions, four at a time.",
                "Default: ${DEFAULT-VALUE}."
            })
    int writers;

    @Option(
            names = "--readers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Readers of each partition. Default: ${DEFAULT-VALUE}.")
    int readers;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            defaultValue = "1KiB",
            converter = SizeConverter.class,
            description = "Most bytes of a message: 100B, 10KiB, 1MiB. Default: ${DEFAULT-VALUE}.")
    Integer size = 0;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            description = {
                "Every fourth partition is on a topic with this retention: its messages may vanish, from the beginning on.",
                "Default: none are. The gateways must allow it (topic.min-retention)."
            })
    @Nullable
    Duration retention;

    @Option(
            names = "--put-rate",
            paramLabel = "N",
            defaultValue = "500",
            description = {
                "Most puts a second of all writers together. All that is answered is kept in memory, 136 bytes for a request: "
                        + "ten minutes of 4,000 a second in the 512 MiB that the program has. What does not fit limits the rate.",
                "Default: ${DEFAULT-VALUE}."
            })
    int putRate;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "How long a gateway may take for a put; some puts get less. Default: ${DEFAULT-VALUE}.")
    Duration timeout = Duration.ZERO;

    @Option(
            names = "--tolerance",
            paramLabel = "TIME",
            defaultValue = "500ms",
            description = {
                "How much later an answer may come, since the gateways and this program may share a processor.",
                "Default: ${DEFAULT-VALUE}."
            })
    Duration tolerance = Duration.ZERO;

    /** What {@code --faults} says; none for an empty list. */
    List<FaultKind> faults = List.of();

    /** A plan of these options, without faults unless they are named. */
    public static VerifyPlan of(String... options) {
        VerifyPlan plan = new VerifyPlan();
        CommandLines.of(plan, e -> false).parseArgs(options);
        plan.check(false);
        return plan;
    }

    /**
     * Checks what the options say.
     *
     * @param faultsByDefault whether there are faults if no option says so
     * @throws IllegalArgumentException with a sentence for the user if it cannot be done
     */
    void check(boolean faultsByDefault) {
        check(duration.toMillis() >= 1, "--duration must be positive");
        check(partitions >= 1 && partitions <= MAX_PARTITIONS, "--partitions must be 1 to " + MAX_PARTITIONS);
        check(writers >= 1 && writers <= MAX_WRITERS, "--writers must be 1 to " + MAX_WRITERS);
        check(readers >= 0 && readers <= MAX_READERS, "--readers must be 0 to " + MAX_READERS);
        check(
                size >= WrittenContent.HEADER_BYTES && size <= MAX_SIZE,
                "--size must be %dB to %dMiB".formatted(WrittenContent.HEADER_BYTES, MAX_SIZE >> 20));
        check(putRate >= 1, "--put-rate must be at least 1");
        check(timeout.toMillis() >= 20 && timeout.toSeconds() <= 60, "--timeout must be 20ms to 60s");
        check(!faultEvery.isZero(), "--fault-every must be positive");
        check(retention == null || partitions > 1, "--retention needs two --partitions or more");
        if (faultNames.isEmpty()) {
            faults = faultsByDefault ? List.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.RESTART) : List.of();
        } else if (!faultNames.equals(List.of(NO_FAULTS))) {
            faults = faultNames.stream().distinct().map(VerifyPlan::faultKind).toList();
        }
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    private static FaultKind faultKind(String name) {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> kind.text().equals(name.trim().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--faults: '%s' is none of %s; or 'none' alone"
                        .formatted(
                                name,
                                Arrays.stream(FaultKind.values())
                                        .map(FaultKind::text)
                                        .collect(Collectors.joining(", ")))));
    }

    /** How many partitions keep their messages: the first ones. */
    int keptPartitions() {
        return retention == null ? partitions : partitions - Math.max(1, partitions / ONE_OF_EXPIRES);
    }

    /** How many writers wait for each answer. */
    int orderedWriters() {
        return (writers + 1) / 2;
    }

    /** The writer of the puts that find out whether all is well. */
    int prober() {
        return writers;
    }

    /** Whether a writer has no two puts to one partition under way. */
    boolean waitsForEachAnswer(int writer) {
        return writer < orderedWriters() || writer == prober();
    }
}
