package io.talosgateway.loadgen;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;

import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicTalosResourceName;
import org.jspecify.annotations.Nullable;

/** Makes what clients ask for. What they share is made ready at once. */
final class Requests {

    private static final int RUN_ID_BYTES = 8;

    private final LoadPlan plan;
    private final InstantSource clock;
    private final Bodies bodies;
    private final Map<String, String> resourceNames;
    private final String runId = runId();

    /** @throws LoadFailure if there is too little memory, or the gateway does not know a topic */
    Requests(LoadPlan plan, InstantSource clock) throws InterruptedException {
        this(plan, clock, resourceNames(plan));
    }

    Requests(LoadPlan plan, InstantSource clock, Map<String, String> resourceNames) {
        this.plan = plan;
        this.clock = clock;
        this.resourceNames = resourceNames;
        this.bodies = Bodies.of(plan.content(), Runtime.getRuntime().maxMemory() / 2);
    }

    private static Map<String, String> resourceNames(LoadPlan plan) throws InterruptedException {
        boolean needed =
                plan.content().format() == Format.THRIFT && plan.target().knowsTopics();
        return needed ? TopicSetup.resourceNames(plan.target()) : Map.of();
    }

    /** Not of the seed: a run that is made again has the same payload, and its puts must not be taken for repeats. */
    private static String runId() {
        byte[] id = new byte[RUN_ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    PutRequest put(int producer) {
        String keyPrefix = keyPrefix(producer);
        return plan.content().format() == Format.THRIFT
                ? new ThriftPutRequest(plan, producer, bodies, partition(producer), keyPrefix, clock)
                : new RestPutRequest(plan, producer, bodies, keyPrefix);
    }

    private @Nullable String keyPrefix(int producer) {
        return plan.content().idempotencyKeys() ? "%s-%d-".formatted(runId, producer) : null;
    }

    GetRequest get(int reader) {
        return plan.content().format() == Format.THRIFT
                ? new ThriftGetRequest(plan, partition(reader), clock)
                : new RestGetRequest(plan, reader);
    }

    private TopicAndPartition partition(int client) {
        Spread.Place place = plan.place(client);
        String resourceName = resourceNames.getOrDefault(place.topic(), place.topic());
        return new TopicAndPartition(place.topic(), new TopicTalosResourceName(resourceName), place.partition());
    }
}
