package io.talosgateway.verifier;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.cli.ShutdownGate;
import io.talosgateway.loadgen.cli.SizeConverter;
import io.talosgateway.loadgen.cli.Subcommand;
import io.talosgateway.loadgen.report.ResultFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code talos-loadgen verify}. */
@Command(
        name = "verify",
        description = {
            "Puts and reads messages while hosts of a cluster are killed, paused and restarted, and then checks whether every "
                    + "answer was true.",
            "",
            "It makes a topic of its own, and deletes it if all is well. Writers put through any gateway, most with idempotency keys; with a key they try again as the "
                    + "answers allow, now and then give up or repeat what is stored. Readers follow every partition from its "
                    + "beginning. When the faults are over and every partition takes puts again, everything is read once "
                    + "more and compared with all that was answered:",
            "  - an acknowledged message is there once, at its offset, byte for byte; nothing else is there;",
            "  - what was answered with 'not stored' each time is not there;",
            "  - a repeat with the same key is stored once and answered as a repeat;",
            "  - offsets have no gaps, and all readers saw the same order;",
            "  - a put that began after another was acknowledged comes after it;",
            "  - a get that began after a put was acknowledged, or after another get was answered, was told of no earlier end;",
            "  - puts, gets and the end of a partition are linearizable through any host: clients of all gateways put, get "
                    + "and ask at the same instants, in short phases on topics of their own, of which the histories are checked;",
            "  - every request was answered in its time, by every gateway to which nothing was done.",
            "",
            "Faults happen one at a time, in an order that the seed gives. At the end, or at Ctrl-C, every host is put back. For "
                    + "each kind of fault it is measured how long partitions acknowledged nothing.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = VerifyCommand.COULD_NOT_RUN,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:GOOD: everything was as promised",
            "1:BAD: something was not; the first few cases are shown; UNDECIDED: a history took too long to check",
            "2:wrong usage",
            "3:it could not be done; the reason is said in a line",
            "130:it was interrupted"
        },
        footer = {
            "",
            "Examples:",
            "  deploy/local-cluster.sh up",
            "  talos-loadgen verify --duration 10m --faults kill,pause,restart,datanode --seed 7",
            "  talos-loadgen verify --faults partition,pause --pause-for 20s",
            "  talos-loadgen verify --cluster data/local-cluster --faults kill --fault-every 15s --report report.json",
            "  TALOS_KEY=ID:SECRET talos-loadgen verify --endpoint http://one:8080 --endpoint http://two:8080 --faults none"
        })
public final class VerifyCommand implements Callable<Integer>, Subcommand {

    static final int COULD_NOT_RUN = 3;

    private static final String NO_FAULTS = "none";
    private static final Path DEFAULT_CLUSTER = Path.of("data/local-cluster");
    private static final int MOST_SEEDS = 1_000_000;
    private static final long OF_THE_PROGRAM_BYTES = 64L << 20;
    private static final long OF_A_READER_BYTES = 1 << 20;
    /** Settling and the last reading have their limits; this is more than they need but in the worst case. */
    private static final Duration LAST_WORDS = Duration.ofMinutes(10);

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "DIR",
            description =
                    "Folder of a cluster that 'deploy/local-cluster.sh up' has started. Default: data/local-cluster.")
    private @Nullable Path cluster;

    @Option(
            names = {"-e", "--endpoint"},
            paramLabel = "URL",
            description =
                    "Address of a gateway, instead of --cluster; again for each gateway. Then there can be no faults.")
    private List<URI> endpoints = new ArrayList<>();

    @Option(
            names = {"-k", "--key-file"},
            paramLabel = "FILE",
            description = {
                "For --endpoint: key file of a gateway, of which the first key is used.",
                "Default: the key in $" + Credentials.VARIABLE + ", as ID:SECRET; without it, no key is sent."
            })
    private @Nullable Path keyFile;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "1m",
            description = "How long there is load and faults. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

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
    private List<String> faults = new ArrayList<>();

    @Option(
            names = "--fault-every",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "From the beginning of a fault to that of the next. Default: ${DEFAULT-VALUE}.")
    private Duration faultEvery = Duration.ZERO;

    @Option(
            names = "--pause-for",
            paramLabel = "TIME",
            defaultValue = "15s",
            description = {
                "How long 'pause' and 'partition' last: longer than zookeeper.session-timeout (10s), so that others take the gateway's "
                        + "partitions over.",
                "Default: ${DEFAULT-VALUE}."
            })
    private Duration pause = Duration.ZERO;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "The same seed gives the same faults in the same order. Default: another one each time.")
    private @Nullable Long seed;

    @Option(
            names = {"-p", "--partitions"},
            paramLabel = "N",
            defaultValue = "12",
            description = "Partitions of the topic. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--writers",
            paramLabel = "N",
            defaultValue = "8",
            description = {
                "Writers. The first half share out the partitions and wait for each answer before they put to the same "
                        + "partition again; the others put to all partitions, four at a time.",
                "Default: ${DEFAULT-VALUE}."
            })
    private int writers;

    @Option(
            names = "--readers",
            paramLabel = "N",
            defaultValue = "2",
            description = "Readers of each partition. Default: ${DEFAULT-VALUE}.")
    private int readers;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            defaultValue = "1KiB",
            converter = SizeConverter.class,
            description = "Most bytes of a message: 100B, 10KiB, 1MiB. Default: ${DEFAULT-VALUE}.")
    private Integer size = 0;

    @Option(
            names = "--retention",
            paramLabel = "TIME",
            description = {
                "Every fourth partition is on a topic with this retention: its messages may vanish, from the beginning on.",
                "Default: none are. The gateways must allow it (topic.min-retention)."
            })
    private @Nullable Duration retention;

    @Option(
            names = "--put-rate",
            paramLabel = "N",
            defaultValue = "500",
            description = {
                "Most puts a second of all writers together. All that is answered is kept in memory, 136 bytes for a request: "
                        + "ten minutes of 4,000 a second in the 512 MiB that the program has. What does not fit limits the rate.",
                "Default: ${DEFAULT-VALUE}."
            })
    private int putRate;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "How long a gateway may take for a put; some puts get less. Default: ${DEFAULT-VALUE}.")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--tolerance",
            paramLabel = "TIME",
            defaultValue = "500ms",
            description = {
                "How much later an answer may come, since the gateways and this program may share a processor.",
                "Default: ${DEFAULT-VALUE}."
            })
    private Duration tolerance = Duration.ZERO;

    @Option(
            names = {"-r", "--report"},
            paramLabel = "FILE",
            description = "Write the results to this file, too, as JSON.")
    private @Nullable Path report;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        boolean byEndpoints = !endpoints.isEmpty();
        if (byEndpoints && cluster != null) {
            throw usage("Name a cluster or endpoints, not both");
        }
        VerifyPlan plan = plan(byEndpoints);
        if (byEndpoints && !plan.faults().isEmpty()) {
            throw usage("With --endpoint, nothing can be done to the hosts, so there can be no faults: leave out "
                    + "--faults, or name a cluster with --cluster");
        }
        if (report != null) {
            ResultFile.check("--report", report);
        }
        VerifiedCluster hosts = byEndpoints
                ? VerifiedCluster.of(endpoints, Credentials.choose(keyFile, System.getenv(Credentials.VARIABLE)))
                : VerifiedCluster.read(cluster == null ? DEFAULT_CLUSTER : cluster);
        VerifyRun run = new VerifyRun(
                plan,
                hosts,
                schedule(plan, hosts),
                script(plan, hosts),
                Progress.to(spec.commandLine().getErr()),
                System.currentTimeMillis(),
                memoryBytes(plan));
        ShutdownGate lastWords = ShutdownGate.before(run::interrupt, LAST_WORDS);
        try {
            return show(run.run());
        } finally {
            lastWords.areSaid();
        }
    }

    /** What is left of the heap for the record. */
    private static long memoryBytes(VerifyPlan plan) {
        long ofReadersBytes = (long) plan.readers() * plan.partitions() * OF_A_READER_BYTES;
        return Runtime.getRuntime().maxMemory() - OF_THE_PROGRAM_BYTES - ofReadersBytes;
    }

    private VerifyPlan plan(boolean byEndpoints) {
        try {
            return new VerifyPlan(
                    duration,
                    partitions,
                    writers,
                    readers,
                    size,
                    putRate,
                    timeout,
                    tolerance,
                    faultKinds(byEndpoints),
                    faultEvery,
                    pause,
                    retention,
                    seed == null ? new Random().nextInt(MOST_SEEDS) : seed);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private List<FaultKind> faultKinds(boolean byEndpoints) {
        if (faults.isEmpty()) {
            return byEndpoints ? List.of() : List.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.RESTART);
        }
        if (faults.equals(List.of(NO_FAULTS))) {
            return List.of();
        }
        return faults.stream().distinct().map(VerifyCommand::faultKind).toList();
    }

    private static FaultKind faultKind(String name) {
        return Arrays.stream(FaultKind.values())
                .filter(kind -> kind.text().equals(name.trim().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--faults: '%s' is none of %s; or 'none' alone"
                        .formatted(
                                name,
                                String.join(
                                        ", ",
                                        Arrays.stream(FaultKind.values())
                                                .map(FaultKind::text)
                                                .toList()))));
    }

    private @Nullable FaultSchedule schedule(VerifyPlan plan, VerifiedCluster hosts) {
        if (plan.faults().isEmpty()) {
            return null;
        }
        if (plan.faults().contains(FaultKind.PARTITION) && !hosts.networks()) {
            throw usage(
                    "--faults: the gateways of this cluster have no networks of their own, so leave out 'partition', or "
                            + "bring the cluster up with 'deploy/local-cluster.sh up --networks'");
        }
        try {
            return new FaultSchedule(plan.faults(), hosts.gatewayNames(), hosts.datanodes(), plan.pause(), plan.seed());
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable VerifiedHosts script(VerifyPlan plan, VerifiedCluster hosts) {
        if (plan.faults().isEmpty()) {
            return null;
        }
        if (hosts.script() == null || hosts.directory() == null) {
            throw new LoadFailure("%s in %s does not say cluster.script, so there can be no faults but 'none'"
                    .formatted(VerifiedCluster.FILE, hosts.directory()));
        }
        return new FaultScript(hosts.script(), hosts.directory());
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private int show(VerifyReport result) {
        spec.commandLine().getOut().print(VerifyText.of(result));
        spec.commandLine().getOut().flush();
        if (report != null) {
            ResultFile.write(report, result);
        }
        if (result.isGood() && result.failure() != null) {
            throw new LoadFailure(result.failure());
        }
        return result.isGood() ? 0 : 1;
    }
}
