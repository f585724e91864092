package io.talosgateway.localcluster;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.format.DateTimeParseException;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** The commands that change what a running host depends on: its network, its clock, and the room in HDFS. */
final class SurroundingsCommands {

    private SurroundingsCommands() {}

    @Command(
            name = "partition",
            description = {
                "Cuts a gateway off from all others, and from you, as if its cable were pulled: it runs on, and its connections "
                        + "stay open, but nothing comes through. 'heal' connects it again.",
                "Needs a cluster that was brought up with --networks. 'pause' comes closest without: the host "
                        + "answers nobody, and its connections stay open."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh partition gateway-1", "  local-cluster.sh heal gateway-1"})
    static void partition(@Mixin HostOptions options) throws IOException, InterruptedException {
        connect(options, false, "%s is cut off from all others; 'heal %1$s' connects it again");
    }

    @Command(
            name = "heal",
            description = "Connects a gateway again that 'partition' cut off; of one that is connected, says so.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh heal gateway-1"})
    static void heal(@Mixin HostOptions options) throws IOException, InterruptedException {
        connect(options, true, "%s is connected");
    }

    private static void connect(HostOptions options, boolean connected, String done)
            throws IOException, InterruptedException {
        Host host = options.host();
        RunningCluster cluster = options.hosts().cluster();
        Network network = cluster.network();
        if (network == null) {
            throw new ClusterFailure(
                    "The hosts share the loopback network, so none can be cut off from the others: bring the cluster up "
                            + "with --networks. 'pause HOST' comes closest: it answers nobody, and its connections stay "
                            + "open");
        }
        if (!Network.hasOwnNamespace(host)) {
            throw new ClusterFailure(
                    ("Only gateways have networks of their own, so %s cannot be cut off. 'pause %s' comes closest: it "
                                    + "answers nobody, and its connections stay open")
                            .formatted(host, host));
        }
        options.note(options.command().name());
        new Networks(cluster).setConnected(network, host, connected);
        options.say(done.formatted(host));
    }

    @Command(
            name = "shift-clock",
            description = {
                "Puts the wall clock of a gateway forward, or back, by a duration such as PT10M, PT-2H or P2D, while the gateway runs.",
                "'reset-clock' puts it right."
            },
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh shift-clock gateway-1 PT-10M"})
    static void shiftClock(
            @Mixin HostOptions options,
            @Parameters(
                            index = "1",
                            paramLabel = "BY",
                            converter = IsoDuration.class,
                            description = "A duration, as ISO 8601 writes it.")
                    Duration by)
            throws IOException {
        setClock(options, by);
        options.say("The clock of %s is off by %s".formatted(options.host(), by));
    }

    @Command(
            name = "reset-clock",
            description = "Puts the clock of a gateway right that 'shift-clock' put forward or back.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh reset-clock gateway-1"})
    static void resetClock(@Mixin HostOptions options) throws IOException {
        setClock(options, Duration.ZERO);
        options.say("The clock of %s is right".formatted(options.host()));
    }

    private static void setClock(HostOptions options, Duration by) throws IOException {
        Host host = options.host();
        if (!host.is(HostKind.GATEWAY)) {
            throw new ClusterFailure("Only the clocks of gateways can be shifted, not that of " + host);
        }
        options.note("shift-clock " + by);
        ClusterFolder.writeSecret(options.folder().clockShift(host), by.toString());
    }

    @Command(
            name = "fill",
            description = {
                "Lets HDFS take no new blocks for the gateways, as if its disks were full: a space quota of one byte. Blocks that are "
                        + "being written grow on, so that puts are refused (507) when a lane needs its next file.",
                "'free' takes the quota away."
            },
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Example:",
                "  local-cluster.sh up --set journal.file-size=1MiB",
                "  local-cluster.sh fill namenode"
            })
    static void fill(@Mixin HostOptions options) throws IOException {
        setSpaceQuota(options, 1);
        options.say("HDFS takes no new blocks for the gateways; 'free namenode' lets it");
    }

    @Command(
            name = "free",
            description = "Lets HDFS take new blocks again after 'fill'.",
            mixinStandardHelpOptions = true,
            footer = {"", "Example:", "  local-cluster.sh free namenode"})
    static void free(@Mixin HostOptions options) throws IOException {
        setSpaceQuota(options, HdfsConstants.QUOTA_RESET);
        options.say("HDFS takes new blocks again");
    }

    private static void setSpaceQuota(HostOptions options, long bytes) throws IOException {
        if (!options.host().equals(Host.NAMENODE)) {
            throw new ClusterFailure(
                    "The quota is the NameNode's, so name 'namenode', not '%s'".formatted(options.host()));
        }
        options.note("space quota " + bytes);
        RunningCluster cluster = options.hosts().cluster();
        Configuration configuration = HadoopSettings.of(cluster, options.folder(), Host.NAMENODE);
        try (FileSystem fileSystem = FileSystem.newInstance(URI.create(cluster.fileSystem()), configuration)) {
            ((DistributedFileSystem) fileSystem)
                    .setQuota(new Path(cluster.storageRoot()), HdfsConstants.QUOTA_DONT_SET, bytes);
        }
    }

    /** A clock may be put back, and by days. */
    static final class IsoDuration implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String text) {
            try {
                return Duration.parse(text);
            } catch (DateTimeParseException e) {
                throw new TypeConversionException(
                        "'%s' is not a duration: write it like PT30S, -PT10M or P2D".formatted(text));
            }
        }
    }
}
