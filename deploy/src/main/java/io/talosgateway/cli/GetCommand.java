package io.talosgateway.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.Partition;
import io.talosgateway.client.Position;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Gets messages. */
@Command(
        name = "get",
        description = "Prints the messages of a topic: those that are there, or with --follow also those that come.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  talos-gateway get demo",
            "  talos-gateway get demo --follow --from latest",
            "  talos-gateway get demo --partition 3 --from 1000 --max 10 --format json"
        })
final class GetCommand implements Callable<Integer> {

    @Parameters(paramLabel = "TOPIC", description = "The topic to read.")
    private String topic;

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "N",
            description = "The partition to read. Default: all, one after the other; with --follow, all at once.")
    private @Nullable Integer partition;

    @Option(
            names = "--from",
            paramLabel = "OFFSET",
            defaultValue = "earliest",
            description = "Where to begin: earliest, latest or an offset. Default: ${DEFAULT-VALUE}.")
    private String from = "earliest";

    @Option(
            names = {"-n", "--max"},
            paramLabel = "N",
            description = "Stop after so many messages.")
    private long maxMessages = Long.MAX_VALUE;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what comes, until interrupted.")
    private boolean follow;

    @Option(
            names = "--format",
            defaultValue = "value",
            description = {
                "value: the payload, a line each (default).",
                "full: partition, offset, key and payload, with tabs between.",
                "json: a JSON object each."
            })
    private MessagePrinter.Format format = MessagePrinter.Format.VALUE;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        Position position;
        try {
            position = Position.parse(from);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("--from: " + e.getMessage(), e);
        }
        if (maxMessages < 1) {
            throw new CommandFailure("--max must be at least 1");
        }
        GatewayClient client = options.client();
        CommandLine command = spec.commandLine();
        MessagePrinter printer = new MessagePrinter(command.getOut(), command.getErr(), format, maxMessages);
        List<Partition> partitions = partitions(client);
        List<MessageReader> readers = new ArrayList<>();
        for (Partition each : partitions) {
            readers.add(new MessageReader(client, topic, each.partition(), position, printer));
        }
        if (follow) {
            ClientOptions.await(MessageReader.followAll(readers));
        } else {
            for (int index = 0; index < readers.size() && !printer.isDone(); index++) {
                Long logEndOffset = partitions.get(index).logEndOffset();
                ClientOptions.await(readers.get(index).readTo(logEndOffset == null ? Long.MAX_VALUE : logEndOffset));
            }
        }
        return 0;
    }

    private List<Partition> partitions(GatewayClient client) {
        List<Partition> all = ClientOptions.await(client.partitions(topic));
        if (partition == null) {
            return all;
        }
        List<Partition> chosen =
                all.stream().filter(each -> each.partition() == partition).toList();
        if (chosen.isEmpty()) {
            throw new CommandFailure("The topic '%s' has partitions 0 to %d; there is no partition %d"
                    .formatted(topic, all.size() - 1, partition));
        }
        return chosen;
    }
}
