package io.talosgateway.loadgen.pipeline;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.PartitionClient;
import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.cli.ShutdownGate;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.TopicSetup;
import io.talosgateway.loadgen.report.ResultFile;
import io.talosgateway.loadgen.report.ResultFolder;
import org.jspecify.annotations.Nullable;

/**
 * A run of a queue: makes its topic, shows and writes what came of it, and deletes the topic. {@link #run} is called once.
 *
 * @param text takes the table
 * @param json takes the results; null for no such file
 * @param folder takes the results as {@code result.json}; null for no folder
 */
public record QueueLoad(
        PipelinePlan plan,
        Endpoint gateway,
        @Nullable Credentials credentials,
        Progress progress,
        PrintWriter text,
        @Nullable Path json,
        @Nullable Path folder) {

    private static final Duration LAST_WORDS = Duration.ofSeconds(40);

    /** @throws LoadFailure with a sentence for the user if it cannot be done, or nothing was put */
    public void run() throws InterruptedException {
        TopicSetup.prepare(gateway, credentials, plan.topic(), plan.partitions());
        PipelineRun run = new PipelineRun(plan, partitionClients(gateway, credentials, plan.topic()), progress);
        ShutdownGate lastWords = ShutdownGate.before(run::interrupt, LAST_WORDS);
        try {
            PipelineResult result = run.run();
            show(result);
            write(result);
            if (result.values().getOrDefault("put.perSecond", 0.0) == 0) {
                throw new LoadFailure("Nothing was put: " + result.firstError());
            }
        } finally {
            TopicSetup.delete(gateway, credentials, plan.topic());
            lastWords.areSaid();
        }
    }

    private static List<PartitionClient> partitionClients(
            Endpoint gateway, @Nullable Credentials credentials, String topic) throws InterruptedException {
        GatewayClient.Builder builder = GatewayClient.builder(gateway.uri());
        if (credentials != null) {
            builder.key(credentials.id(), credentials.secret());
        }
        try {
            return builder.build().partitionClients(topic).get();
        } catch (ExecutionException e) {
            throw new LoadFailure(String.valueOf(e.getMessage()), e);
        }
    }

    private void show(PipelineResult result) {
        Map<String, Double> values = result.values();
        text.printf(
                Locale.ROOT,
                "put       %,10.0f messages/s   mean %.2f ms, P50 %.2f, P99 %.2f, max %.0f%n",
                values.get("put.perSecond"),
                values.get("put.meanMs"),
                values.get("put.p50Ms"),
                values.get("put.p99Ms"),
                values.get("put.maxMs"));
        text.printf(
                Locale.ROOT,
                "consumed  %,10.0f messages/s   age: mean %.2f ms, P50 %.2f, P99 %.2f, max %.0f%n",
                values.get("consumed.perSecond"),
                values.get("age.meanMs"),
                values.get("age.p50Ms"),
                values.get("age.p99Ms"),
                values.get("age.maxMs"));
        text.printf(
                Locale.ROOT,
                "backlog   %,10.0f at the end, %,.0f at most%n",
                values.get("backlog.end"),
                values.get("backlog.peak"));
        if (result.firstError() != null) {
            text.printf(Locale.ROOT, "errors    %,10.0f, the first: %s%n", values.get("errors"), result.firstError());
        }
        text.flush();
    }

    private void write(PipelineResult result) {
        if (json != null) {
            ResultFile.write(json, result);
        }
        if (folder != null) {
            ResultFile.write(folder.resolve(ResultFolder.RESULT), result);
        }
    }
}
