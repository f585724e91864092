package io.talosgateway.loadgen;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.RetryPolicy;
import io.talosgateway.client.Topic;

/** Sees to it that the topic is there before the load comes. Stateless. */
final class TopicSetup {

    private static final String NOT_FOUND = "topic-not-found";

    private TopicSetup() {}

    /**
     * Makes the topic if it is not there.
     *
     * @return whether it was made
     * @throws LoadFailure if it has too few partitions, or the gateway refuses
     */
    static boolean prepare(LoadPlan plan) throws InterruptedException {
        GatewayClient.Builder builder = GatewayClient.builder(plan.endpoint()).retries(RetryPolicy.NONE);
        Credentials credentials = plan.credentials();
        if (credentials != null) {
            builder.key(credentials.id(), credentials.secret());
        }
        GatewayClient client = builder.build();
        try {
            Topic topic = await(client.topic(plan.topic()));
            if (topic.partitions() < plan.partitions()) {
                throw new LoadFailure(
                        ("The topic '%s' has %d partitions, and the load is for %d. Name another topic, or use fewer with "
                                        + "--partitions.")
                                .formatted(plan.topic(), topic.partitions(), plan.partitions()));
            }
            return false;
        } catch (GatewayClientException e) {
            if (!NOT_FOUND.equals(e.code())) {
                throw refusal(plan, e);
            }
        }
        try {
            await(client.createTopic(new NewTopic(plan.topic(), plan.partitions())));
            return true;
        } catch (GatewayClientException e) {
            throw refusal(plan, e);
        }
    }

    private static LoadFailure refusal(LoadPlan plan, GatewayClientException reason) {
        boolean keyMissing = "unauthenticated".equals(reason.code()) && plan.credentials() == null;
        String hint = keyMissing
                ? " Set $" + Credentials.VARIABLE + " to ID:SECRET, or name a key file with --key-file."
                : "";
        return new LoadFailure(reason.getMessage() + hint, reason);
    }

    private static <T> T await(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GatewayClientException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
