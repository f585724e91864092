package io.talosgateway.loadgen.http;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.RetryPolicy;
import io.talosgateway.client.Topic;
import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;

/** Sees to it that a topic is there, or gone. Stateless. */
public final class TopicSetup {

    private static final String NOT_FOUND = "topic-not-found";

    private TopicSetup() {}

    /**
     * Makes the topic if it is not there.
     *
     * @param retention null for the gateway's default
     * @return whether it was made
     * @throws LoadFailure if it has too few partitions, or the gateway refuses
     */
    public static boolean prepare(
            Endpoint endpoint,
            @Nullable Credentials credentials,
            String name,
            int partitions,
            @Nullable Duration retention)
            throws InterruptedException {
        GatewayClient client = client(endpoint, credentials);
        Topic topic;
        try {
            topic = await(credentials, client.topic(name));
        } catch (LoadFailure e) {
            if (e.getCause() instanceof GatewayClientException refusal && NOT_FOUND.equals(refusal.code())) {
                await(credentials, client.createTopic(new NewTopic(name, partitions, retention, Map.of())));
                return true;
            }
            throw e;
        }
        if (topic.partitions() < partitions) {
            throw new LoadFailure(
                    ("The topic '%s' has %d partitions, and the load is for %d. Name another topic, or use fewer with "
                                    + "--partitions.")
                            .formatted(name, topic.partitions(), partitions));
        }
        return false;
    }

    /**
     * What the Thrift interface calls the topics, by their names.
     *
     * @throws LoadFailure if there is none, or the gateway refuses
     */
    public static Map<String, String> resourceNames(
            Endpoint endpoint, @Nullable Credentials credentials, List<String> topics) throws InterruptedException {
        GatewayClient client = client(endpoint, credentials);
        Map<String, String> names = new HashMap<>();
        for (String topic : topics) {
            names.put(topic, await(credentials, client.topic(topic)).resourceName());
        }
        return names;
    }

    /**
     * Deletes a topic with its messages.
     *
     * @throws LoadFailure if the gateway refuses
     */
    public static void delete(Endpoint endpoint, @Nullable Credentials credentials, String name)
            throws InterruptedException {
        await(credentials, client(endpoint, credentials).deleteTopic(name));
    }

    private static GatewayClient client(Endpoint endpoint, @Nullable Credentials credentials) {
        GatewayClient.Builder builder = GatewayClient.builder(endpoint.uri()).retries(RetryPolicy.NONE);
        if (credentials != null) {
            builder.key(credentials.id(), credentials.secret());
        }
        if (endpoint.tls() != null) {
            builder.sslContext(endpoint.tls().context());
        }
        return builder.connectTimeout(Duration.ofSeconds(10)).build();
    }

    private static <T> T await(@Nullable Credentials credentials, CompletableFuture<T> future)
            throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GatewayClientException reason) {
                boolean keyMissing = "unauthenticated".equals(reason.code()) && credentials == null;
                String hint = keyMissing
                        ? " Set $" + Credentials.VARIABLE + " to ID:SECRET, or name a key file with --key-file."
                        : "";
                throw new LoadFailure(reason.getMessage() + hint, reason);
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
