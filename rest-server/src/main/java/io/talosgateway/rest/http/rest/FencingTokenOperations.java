package io.talosgateway.rest.http.rest;

import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The fencing tokens of partitions on the JSON interface. A partition's description shows its token. */
public final class FencingTokenOperations {

    private static final String FENCING_TOKEN = "/v1/topics/{topic}/partitions/{partition}/fencing-token";

    private final AuthorizedTopics authorized;
    private final PartitionService partitions;

    public FencingTokenOperations(AuthorizedTopics authorized, PartitionService partitions) {
        this.authorized = authorized;
        this.partitions = partitions;
    }

    List<RestRoute> routes() {
        return List.of(
                new RestRoute(Operation.REST_SET_FENCING_TOKEN, "PUT", FENCING_TOKEN, RequestClass.ADMIN, this::set));
    }

    /** @param replaces the token that the partition must have; null if it must have none */
    record NewTokenJson(@Nullable String token, @Nullable String replaces) {}

    record TokenJson(String topic, int partition, String token) {}

    /**
     * A fencing token.
     *
     * @throws GatewayException {@code INVALID_NAME}
     */
    static String checked(String token) {
        if (!token.matches("[A-Za-z0-9._:-]{1,64}")) {
            throw new GatewayException(
                    ErrorCode.INVALID_NAME,
                    "The fencing token is not valid: use 1 to 64 letters, digits, '.', '_', ':' and '-', such as a random UUID.");
        }
        return token;
    }

    private CompletableFuture<Answer> set(RestCall call) {
        call.allowQuery(Set.of());
        TopicMetadata topic = call.topic(authorized);
        TopicPartition partition = TopicOperations.partition(topic, call.pathParameter("partition"));
        NewTokenJson wanted = Json.read(call.body(), NewTokenJson.class, "The fencing token");
        if (wanted.token == null) {
            throw RestCall.malformed(
                    "A change of the fencing token says \"token\", and \"replaces\" if the partition has one.");
        }
        FencingTokenChange change = new FencingTokenChange(
                partition, checked(wanted.token), wanted.replaces == null ? null : checked(wanted.replaces));
        return partitions
                .changeFencingToken(change, call.exchange().deadline())
                .thenApply(done -> Answer.of(
                        200,
                        Json.CONTENT_TYPE,
                        Json.write(new TokenJson(topic.name().value(), partition.partition(), change.token()))));
    }
}
