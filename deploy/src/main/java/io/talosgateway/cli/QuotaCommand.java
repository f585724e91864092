package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.Quota;
import io.talosgateway.client.QuotaLimits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows and sets what topics may take up and be asked for. */
@Command(
        name = "quota",
        description = "Shows and sets what a topic, or all topics of an owner, may take up and be asked for.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {
            QuotaCommand.Describe.class,
            QuotaCommand.SetLimits.class,
            QuotaCommand.Delete.class,
            QuotaCommand.ListOwners.class
        },
        footer = {
            "",
            "Examples:",
            "  talos-gateway quota set --topic orders --put-bytes 1000000",
            "  talos-gateway quota set --owner CLteam --topics 20 --space 100000000000",
            "  talos-gateway quota describe --owner CLteam"
        })
final class QuotaCommand {

    private QuotaCommand() {}

    private static final class Whose {

        @Option(
                names = "--topic",
                paramLabel = "TOPIC",
                description = "Of this topic. Its owner and administrators see it.")
        private @Nullable String topic;

        @Option(
                names = "--owner",
                paramLabel = "OWNER",
                description = "Of all topics of this owner together: an owner of keys, or an organization.")
        private @Nullable String owner;

        Quota ask(GatewayClient client) throws IOException {
            return ClientOptions.await(
                    topic == null ? client.ownerQuota(String.valueOf(owner)) : client.topicQuota(topic));
        }

        Quota set(GatewayClient client, QuotaLimits limits) throws IOException {
            if (topic == null) {
                return ClientOptions.await(client.setOwnerQuota(String.valueOf(owner), limits));
            }
            if (limits.topics() != null || limits.partitions() != null) {
                throw new CommandFailure("--topics and --partitions go with --owner.");
            }
            return ClientOptions.await(client.setTopicQuota(topic, limits));
        }
    }

    private static void print(Quota quota, PrintWriter out) {
        QuotaLimits limits = quota.limits();
        if (quota.owner() != null) {
            line(out, "topics", limits.topics(), "", quota.usedTopics());
            line(out, "partitions", limits.partitions(), "", quota.usedPartitions());
            if (quota.appliedPartitions() != null) {
                out.printf("applied for:  %d partitions%n", quota.appliedPartitions());
            }
        }
        line(out, "space", limits.spaceBytes(), " bytes", quota.usedBytes());
        line(out, "put requests", limits.putRequestsPerSecond(), " per second", null);
        line(out, "put bytes", limits.putBytesPerSecond(), " per second", null);
        line(out, "get requests", limits.getRequestsPerSecond(), " per second", null);
        line(out, "get bytes", limits.getBytesPerSecond(), " per second", null);
    }

    private static void line(PrintWriter out, String name, @Nullable Number limit, String unit, @Nullable Number used) {
        out.printf(
                "%-13s %s%s%n",
                name + ":", limit == null ? "no limit" : limit + unit, used == null ? "" : ", used " + used);
    }

    /** {@code quota describe}. */
    @Command(name = "describe", description = "Shows a quota, and what is used of it.", mixinStandardHelpOptions = true)
    static final class Describe implements Callable<Integer> {

        @ArgGroup(multiplicity = "1")
        private Whose whose = new Whose();

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            print(whose.ask(options.client()), spec.commandLine().getOut());
            return 0;
        }
    }

    /** {@code quota set}. */
    @Command(
            name = "set",
            description = {
                "Sets a quota, in place of the one before: what is left out has no limit.",
                "The owner of a topic sets its quota, an administrator that of an owner."
            },
            mixinStandardHelpOptions = true)
    static final class SetLimits implements Callable<Integer> {

        @ArgGroup(multiplicity = "1")
        private Whose whose = new Whose();

        @Option(
                names = "--topics",
                paramLabel = "N",
                description = "Most topics. Default: as many as every owner may have.")
        private @Nullable Integer topics;

        @Option(
                names = "--partitions",
                paramLabel = "N",
                description = "Most partitions of all topics. Default: as many as every owner may have.")
        private @Nullable Integer partitions;

        @Option(names = "--space", paramLabel = "BYTES", description = "Bytes of messages that may be stored.")
        private @Nullable Long space;

        @Option(names = "--put-requests", paramLabel = "N", description = "Put requests per second.")
        private @Nullable Integer putRequests;

        @Option(names = "--get-requests", paramLabel = "N", description = "Get requests per second.")
        private @Nullable Integer getRequests;

        @Option(names = "--put-bytes", paramLabel = "BYTES", description = "Bytes put per second.")
        private @Nullable Long putBytes;

        @Option(names = "--get-bytes", paramLabel = "BYTES", description = "Bytes got per second.")
        private @Nullable Long getBytes;

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            QuotaLimits limits =
                    new QuotaLimits(topics, partitions, space, putRequests, getRequests, putBytes, getBytes);
            if (limits.equals(QuotaLimits.NONE)) {
                throw new CommandFailure("Say at least one limit, such as --put-bytes; 'quota delete' takes all away.");
            }
            print(whose.set(options.client(), limits), spec.commandLine().getOut());
            return 0;
        }
    }

    /** {@code quota delete}. */
    @Command(name = "delete", description = "Takes all limits of a quota away.", mixinStandardHelpOptions = true)
    static final class Delete implements Callable<Integer> {

        @ArgGroup(multiplicity = "1")
        private Whose whose = new Whose();

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            print(
                    whose.set(options.client(), QuotaLimits.NONE),
                    spec.commandLine().getOut());
            return 0;
        }
    }

    /** {@code quota list}. */
    @Command(
            name = "list",
            description = "Lists the owners that have a quota or have applied for one. Needs an admin key.",
            mixinStandardHelpOptions = true)
    static final class ListOwners implements Callable<Integer> {

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            TextTable table =
                    new TextTable("OWNER", "TOPICS", "PARTITIONS", "APPLIED FOR", "SPACE", "PUT B/S", "GET B/S");
            for (Quota quota : ClientOptions.await(options.client().ownerQuotas())) {
                QuotaLimits limits = quota.limits();
                table.row(
                        quota.owner(),
                        quota.usedTopics() + "/" + limits.topics(),
                        quota.usedPartitions() + "/" + limits.partitions(),
                        quota.appliedPartitions(),
                        limits.spaceBytes(),
                        limits.putBytesPerSecond(),
                        limits.getBytesPerSecond());
            }
            table.print(spec.commandLine().getOut());
            return 0;
        }
    }
}
