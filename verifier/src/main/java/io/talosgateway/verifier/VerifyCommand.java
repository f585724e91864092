package io.talosgateway.verifier;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.cli.ShutdownGate;
import io.talosgateway.loadgen.cli.Subcommand;
import io.talosgateway.loadgen.report.ResultFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "1:BAD: something was not; the first few cases are shown",
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

    private static final Path DEFAULT_CLUSTER = Path.of("data/local-cluster");
    private static final long OF_THE_PROGRAM_BYTES = 64L << 20;
    private static final long OF_A_READER_BYTES = 1 << 20;
    /** Settling and the last reading have their limits; this is more than they need but in the worst case. */
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofMinutes(10);

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

    @Mixin
    private VerifyPlan plan = new VerifyPlan();

    @Option(
            names = {"-r", "--report"},
            paramLabel = "FILE",
            description = "Write the results to this file, too, as JSON.")
    private @Nullable Path report;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        if (!endpoints.isEmpty() && cluster != null) {
            throw usage("Name a cluster or endpoints, not both");
        }
        if (report != null) {
            ResultFile.check("--report", report);
        }
        VerifyRun run = prepared();
        ShutdownGate gate = ShutdownGate.closed(run::interrupt, SHUTDOWN_TIMEOUT);
        try {
            return show(run.run());
        } finally {
            gate.open();
        }
    }

    private VerifyRun prepared() {
        try {
            plan.check(endpoints.isEmpty());
            if (!endpoints.isEmpty() && !plan.faults.isEmpty()) {
                throw usage("With --endpoint, nothing can be done to the hosts, so there can be no faults: leave out "
                        + "--faults, or name a cluster with --cluster");
            }
            Path directory = cluster == null ? DEFAULT_CLUSTER : cluster;
            VerifiedCluster verified = endpoints.isEmpty()
                    ? VerifiedCluster.read(directory)
                    : VerifiedCluster.of(endpoints, Credentials.choose(keyFile, System.getenv(Credentials.VARIABLE)));
            FaultSchedule schedule =
                    plan.faults.isEmpty() ? null : new FaultSchedule(plan.faults, verified, plan.pause, plan.seed);
            if (schedule != null && verified.hosts() == null) {
                throw new LoadFailure("%s in %s does not say cluster.script, so there can be no faults but 'none'"
                        .formatted(VerifiedCluster.FILE, directory));
            }
            Progress progress = Progress.to(spec.commandLine().getErr());
            return new VerifyRun(plan, verified, schedule, progress, System.currentTimeMillis(), memoryBytes());
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    /** What is left of the heap for the record. */
    private long memoryBytes() {
        long ofReadersBytes = (long) plan.readers * plan.partitions * OF_A_READER_BYTES;
        return Runtime.getRuntime().maxMemory() - OF_THE_PROGRAM_BYTES - ofReadersBytes;
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
