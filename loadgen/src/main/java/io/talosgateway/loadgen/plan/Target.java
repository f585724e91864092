package io.talosgateway.loadgen.plan;

import java.util.List;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.http.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * Where the load goes.
 *
 * @param endpoint the gateway's
 * @param credentials null to send none
 * @param topics each as {@link LoadPlan#place} says
 * @param partitions how many partitions of each topic are used
 * @param knowsTopics whether it can be asked for its topics; if not, it takes any
 * @param newConnections whether each request has a connection of its own
 */
public record Target(
        Endpoint endpoint,
        @Nullable Credentials credentials,
        List<String> topics,
        int partitions,
        boolean knowsTopics,
        boolean newConnections) {

    /** @throws LoadFailure with a sentence for the user if there is no such thing */
    public Target {
        LoadFailure.check(!topics.isEmpty(), "--topic names no topic");
        for (String topic : topics) {
            LoadFailure.check(
                    topic.matches("[A-Za-z0-9_-]{1,80}"),
                    "'%s' is not a topic's name: use 1 to 80 letters, digits, '_' and '-'".formatted(topic));
        }
        LoadFailure.check(topics.stream().distinct().count() == topics.size(), "--topic names a topic twice");
        LoadFailure.check(partitions >= 1, "--partitions must be at least 1");
    }

    /**
     * The lines that every request has after its request line, without the empty one that ends them.
     *
     * @param key null to send none
     */
    public String headers(@Nullable Credentials key) {
        return endpoint.headers(key) + (newConnections ? "Connection: close\r\n" : "");
    }
}
