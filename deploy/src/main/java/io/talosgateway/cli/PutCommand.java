package io.talosgateway.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.Problem;
import io.talosgateway.client.PutPart;
import io.talosgateway.client.Retry;
import io.talosgateway.client.Stored;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts messages. */
@Command(
        name = "put",
        description = {
            "Puts messages, each as UTF-8 text: the MESSAGE arguments; without them, the lines of standard input; or one "
                    + "file as one message. Prints where they are once they are durable."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  talos-gateway put demo hello world",
            "  talos-gateway put demo --key order-1042 paid",
            "  talos-gateway put demo --partition 3 --file picture.png",
            "  talos-gateway put demo < lines.txt"
        })
final class PutCommand implements Callable<Integer> {

    private static final int BATCH_MESSAGES = 500;
    private static final int BATCH_BYTES = 1 << 20;

    @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic to put to.")
    private String topic;

    @Parameters(index = "1..*", paramLabel = "MESSAGE", description = "Messages.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "N",
            description = "The partition to put to. Default: the key's, or one in turn.")
    private @Nullable Integer partition;

    @Option(names = "--key", paramLabel = "KEY", description = "Key of every message.")
    private @Nullable String key;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Put this file's bytes as one message.")
    private @Nullable Path file;

    @Mixin
    private ClientOptions options = new ClientOptions();

    @Spec
    private CommandSpec spec;

    private int storedCount;
    private int refusedCount;
    private int unknownCount;
    private int lineCount;
    private @Nullable String failure;

    @Override
    public Integer call() throws IOException {
        GatewayClient client = options.client();
        if (file != null && !arguments.isEmpty()) {
            throw new CommandFailure("Give either messages or --file, not both");
        }
        if (file != null) {
            put(client, List.of(message(content(file))));
        } else if (!arguments.isEmpty()) {
            put(client, arguments.stream().map(this::message).toList());
        } else {
            putLines(client);
        }
        if (failure != null) {
            throw failure(failure);
        }
        return 0;
    }

    private CommandFailure failure(String reason) {
        int count = storedCount + refusedCount + unknownCount;
        List<String> what = new ArrayList<>();
        if (refusedCount > 0) {
            what.add("%d of %d messages are not stored".formatted(refusedCount, count));
        }
        if (unknownCount > 0) {
            what.add("%d of %d messages may be stored or not".formatted(unknownCount, count));
        }
        String stopped = lineCount == 0 ? "" : " No line after line %d was put.".formatted(lineCount);
        return new CommandFailure(String.join(", ", what) + ": " + reason + stopped);
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new CommandFailure("The file " + file + " cannot be read", e);
        }
    }

    private NewMessage message(String text) {
        return NewMessage.of(text).withKey(key);
    }

    private NewMessage message(byte[] payload) {
        return new NewMessage(key, payload);
    }

    /**
     * What has been typed or piped so far goes together; what comes slowly does not wait. What comes after messages that are not stored is not
     * put: it would be stored before them.
     */
    private void putLines(GatewayClient client) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<NewMessage> batch = new ArrayList<>();
        long bytes = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            lineCount++;
            NewMessage message = message(line);
            batch.add(message);
            bytes += message.payload().length;
            if (batch.size() == BATCH_MESSAGES || bytes >= BATCH_BYTES || !lines.ready()) {
                put(client, batch);
                if (failure != null) {
                    return;
                }
                batch = new ArrayList<>();
                bytes = 0;
            }
        }
        if (!batch.isEmpty()) {
            put(client, batch);
        }
    }

    private void put(GatewayClient client, List<NewMessage> messages) {
        try {
            if (partition != null) {
                stored(ClientOptions.await(client.put(topic, partition, messages)));
                return;
            }
            for (PutPart part : ClientOptions.await(client.put(topic, messages))) {
                if (part.stored() != null) {
                    stored(part.stored());
                } else {
                    Problem problem = Objects.requireNonNull(part.problem());
                    refused(part.messages().size(), problem.retry(), problem.detail());
                }
            }
        } catch (GatewayClientException e) {
            refused(messages.size(), e.retry(), e.getMessage());
        }
    }

    private void refused(int count, @Nullable Retry retry, @Nullable String reason) {
        failure = reason == null ? "no reason given" : reason;
        if (retry == Retry.SAME_KEY || retry == Retry.OUTCOME_UNKNOWN) {
            unknownCount += count;
        } else {
            refusedCount += count;
        }
    }

    private void stored(Stored stored) {
        storedCount += stored.count();
        PrintWriter out = spec.commandLine().getOut();
        if (stored.count() == 1) {
            out.printf("partition %d offset %d%n", stored.partition(), stored.firstOffset());
        } else {
            out.printf(
                    "partition %d offsets %d to %d%n",
                    stored.partition(), stored.firstOffset(), stored.firstOffset() + stored.count() - 1);
        }
        out.flush();
    }
}
