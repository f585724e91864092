package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.concurrent.Callable;

import io.talosgateway.client.ConsumerGroup;
import io.talosgateway.client.ConsumerGroup.Progress;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.Position;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows, resets and deletes consumer groups. */
@Command(
        name = "group",
        description = "Shows, resets and deletes consumer groups, also those of Talos SDKs.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {
            GroupCommand.ListGroups.class,
            GroupCommand.Describe.class,
            GroupCommand.Reset.class,
            GroupCommand.Delete.class
        },
        footer = {
            "",
            "Examples:",
            "  talos-gateway group describe orders billing",
            "  talos-gateway group reset orders billing --to earliest",
            "  talos-gateway group reset orders billing --time 2026-11-24T08:00:00Z"
        })
final class GroupCommand {

    private GroupCommand() {}

    /** Which group of which topic. */
    private static final class Which {

        @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic's name.")
        private String topic;

        @Parameters(index = "1", paramLabel = "GROUP", description = "The group's name.")
        private String group;
    }

    /** {@code group list}. */
    @Command(name = "list", description = "Lists the consumer groups of a topic.", mixinStandardHelpOptions = true)
    static final class ListGroups implements Callable<Integer> {

        @Parameters(paramLabel = "TOPIC", description = "The topic's name.")
        private String topic;

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            GatewayClient client = options.client();
            TextTable table = new TextTable("GROUP", "MEMBERS", "LAG");
            for (String name : ClientOptions.await(client.groups(topic))) {
                ConsumerGroup group = ClientOptions.await(client.group(topic, name));
                table.row(name, group.members().size(), lag(group));
            }
            table.print(spec.commandLine().getOut());
            return 0;
        }
    }

    /** Null while some partition is not served. */
    private static @Nullable Long lag(ConsumerGroup group) {
        long lag = 0;
        for (Progress partition : group.partitions()) {
            Long ofPartition = partition.lag();
            if (ofPartition == null) {
                return null;
            }
            lag += ofPartition;
        }
        return lag;
    }

    /** {@code group describe}. */
    @Command(
            name = "describe",
            description = "Shows how far a group is on each partition, and who holds it.",
            mixinStandardHelpOptions = true)
    static final class Describe implements Callable<Integer> {

        @Mixin
        private Which which = new Which();

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            ConsumerGroup group = ClientOptions.await(options.client().group(which.topic, which.group));
            PrintWriter out = spec.commandLine().getOut();
            out.println("group:   " + group.group());
            out.println("topic:   " + group.topic());
            out.println("members: " + (group.members().isEmpty() ? "none" : String.join(", ", group.members())));
            TextTable table = new TextTable("PARTITION", "NEXT OFFSET", "LOG END", "LAG", "MEMBER");
            for (Progress partition : group.partitions()) {
                table.row(
                        partition.partition(),
                        partition.nextOffset(),
                        partition.logEndOffset(),
                        partition.lag(),
                        partition.member());
            }
            table.print(out);
            return 0;
        }
    }

    /** {@code group reset}. */
    @Command(
            name = "reset",
            description = {
                "Has a group go on elsewhere, also backwards.",
                "Its members have to be stopped, and their leases to end, before."
            },
            mixinStandardHelpOptions = true)
    static final class Reset implements Callable<Integer> {

        @Mixin
        private Which which = new Which();

        @ArgGroup(multiplicity = "1")
        private Where where = new Where();

        @Option(
                names = {"-p", "--partition"},
                paramLabel = "N",
                description = "The partition to reset. Default: all.")
        private @Nullable Integer partition;

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            ClientOptions.await(options.client().resetGroup(which.topic, which.group, where.position(), partition));
            spec.commandLine().getOut().printf("reset group %s%n", which.group);
            return 0;
        }
    }

    /** Where a group shall go on. */
    private static final class Where {

        @Option(names = "--to", paramLabel = "OFFSET", description = "earliest, latest or an offset.")
        private @Nullable String offset;

        @Option(
                names = "--time",
                paramLabel = "TIME",
                description = "The first message appended at this time or later, such as 2026-11-24T08:00:00Z.")
        private @Nullable String time;

        Position position() {
            try {
                return offset == null
                        ? Position.timestampMs(
                                Instant.parse(String.valueOf(time)).toEpochMilli())
                        : Position.parse(offset);
            } catch (DateTimeParseException e) {
                throw new CommandFailure("--time: '" + time + "' is not a time such as 2026-11-24T08:00:00Z", e);
            } catch (IllegalArgumentException e) {
                throw new CommandFailure("--to: " + e.getMessage(), e);
            }
        }
    }

    /** {@code group delete}. */
    @Command(
            name = "delete",
            description = {
                "Forgets a group and what it has committed of a topic.",
                "Its members have to be stopped, and their leases to end, before."
            },
            mixinStandardHelpOptions = true)
    static final class Delete implements Callable<Integer> {

        @Mixin
        private Which which = new Which();

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            ClientOptions.await(options.client().deleteGroup(which.topic, which.group));
            spec.commandLine().getOut().printf("deleted group %s%n", which.group);
            return 0;
        }
    }
}
