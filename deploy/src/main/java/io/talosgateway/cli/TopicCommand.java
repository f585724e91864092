package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Partition;
import io.talosgateway.client.Topic;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes, shows and deletes topics. */
@Command(
        name = "topic",
        description = "Makes, shows and deletes topics.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {
            TopicCommand.Create.class,
            TopicCommand.ListTopics.class,
            TopicCommand.Describe.class,
            TopicCommand.Delete.class
        })
final class TopicCommand {

    private TopicCommand() {}

    private static String hours(long retentionMs) {
        return retentionMs % 3_600_000 == 0 ? retentionMs / 3_600_000 + "h" : retentionMs / 60_000 + "m";
    }

    /** {@code topic create}. */
    @Command(name = "create", description = "Makes a topic.", mixinStandardHelpOptions = true)
    static final class Create implements Callable<Integer> {

        @Parameters(paramLabel = "TOPIC", description = "1 to 80 letters, digits, '_' and '-'.")
        private String name;

        @Option(
                names = {"-p", "--partitions"},
                paramLabel = "N",
                description = "How many partitions. They can be added later, not taken away. Default: the gateway's.")
        private @Nullable Integer partitions;

        @Option(
                names = "--retention-hours",
                paramLabel = "N",
                description = "How long messages are kept. Default: the gateway's.")
        private @Nullable Integer retentionHours;

        @Option(
                names = {"-a", "--attribute"},
                paramLabel = "KEY=VALUE",
                description = "An attribute. May be repeated. talos.durability is disk or memory.")
        private Map<String, String> attributes = new LinkedHashMap<>();

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            Duration retention = retentionHours == null ? null : Duration.ofHours(retentionHours);
            NewTopic topic = new NewTopic(name, partitions, retention, attributes);
            Topic created = ClientOptions.await(options.client().createTopic(topic));
            spec.commandLine()
                    .getOut()
                    .printf("created topic %s with %d partitions%n", created.name(), created.partitions());
            return 0;
        }
    }

    /** {@code topic list}. */
    @Command(
            name = "list",
            description = "Lists the topics of the key's owner; for an admin key, all.",
            mixinStandardHelpOptions = true)
    static final class ListTopics implements Callable<Integer> {

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            TextTable table = new TextTable("TOPIC", "PARTITIONS", "RETENTION", "OWNER");
            for (Topic topic : ClientOptions.await(options.client().topics())) {
                table.row(topic.name(), topic.partitions(), hours(topic.retentionMs()), topic.owner());
            }
            table.print(spec.commandLine().getOut());
            return 0;
        }
    }

    /** {@code topic describe}. */
    @Command(
            name = "describe",
            description = "Shows a topic and its partitions: offsets, messages and bytes stored, and owner.",
            mixinStandardHelpOptions = true)
    static final class Describe implements Callable<Integer> {

        @Parameters(paramLabel = "TOPIC", description = "The topic's name.")
        private String name;

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            GatewayClient client = options.client();
            Topic topic = ClientOptions.await(client.topic(name));
            PrintWriter out = spec.commandLine().getOut();
            out.println("topic:         " + topic.name());
            out.println("resource name: " + topic.resourceName());
            out.println("owner:         " + topic.owner());
            out.println("created:       " + Instant.ofEpochMilli(topic.createdAtMs()));
            out.println("retention:     " + hours(topic.retentionMs()));
            topic.attributes().forEach((key, value) -> out.println("attribute:     " + key + "=" + value));
            TextTable table = new TextTable("PARTITION", "LOG START", "LOG END", "MESSAGES", "BYTES", "OWNER");
            for (Partition partition : ClientOptions.await(client.partitions(name))) {
                table.row(
                        partition.partition(),
                        partition.logStartOffset(),
                        partition.logEndOffset(),
                        partition.messageCount(),
                        partition.storedBytes(),
                        partition.owner());
            }
            table.print(out);
            return 0;
        }
    }

    /** {@code topic delete}. */
    @Command(
            name = "delete",
            description = "Deletes a topic with all its messages. There is no way back.",
            mixinStandardHelpOptions = true)
    static final class Delete implements Callable<Integer> {

        @Parameters(paramLabel = "TOPIC", description = "The topic's name.")
        private String name;

        @Mixin
        private ClientOptions options = new ClientOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            ClientOptions.await(options.client().deleteTopic(name));
            spec.commandLine().getOut().printf("deleted topic %s%n", name);
            return 0;
        }
    }
}
