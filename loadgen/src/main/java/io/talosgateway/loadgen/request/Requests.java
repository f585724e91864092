package io.talosgateway.loadgen.request;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.http.TopicSetup;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Target;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicTalosResourceName;
import org.jspecify.annotations.Nullable;

/** Makes what clients ask for. What they share is made ready at once. */
public final class Requests {

    private static final int RUN_ID_BYTES = 8;

    private final LoadPlan plan;
    private final InstantSource clock;
    private final Bodies bodies;
    private final Map<String, String> resourceNames;
    private final String runId = runId();

    /** @throws LoadFailure if there is too little memory, or the gateway does not know a topic */
    public Requests(LoadPlan plan, InstantSource clock) throws InterruptedException {
        this(plan, clock, resourceNames(plan));
    }

    public Requests(LoadPlan plan, InstantSource clock, Map<String, String> resourceNames) {
        this.plan = plan;
        this.clock = clock;
        this.resourceNames = resourceNames;
        this.bodies = Bodies.of(plan.content(), Runtime.getRuntime().maxMemory() / 2);
    }

    private static Map<String, String> resourceNames(LoadPlan plan) throws InterruptedException {
        boolean needed =
                plan.content().format() == Format.THRIFT && plan.target().knowsTopics();
        Target target = plan.target();
        return needed ? TopicSetup.resourceNames(target.endpoint(), target.credentials(), target.topics()) : Map.of();
    }

    /** Not of the seed: a run that is made again has the same payload, and its puts must not be taken for repeats. */
    private static String runId() {
        byte[] id = new byte[RUN_ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    public ClientRequest put(int producer) {
        String keyPrefix = keyPrefix(producer);
        return plan.content().format() == Format.THRIFT
                ? new ThriftPutRequest(plan, producer, bodies, partition(producer), keyPrefix, clock)
                : new RestPutRequest(plan, producer, bodies, keyPrefix);
    }

    private @Nullable String keyPrefix(int producer) {
        return plan.content().idempotencyKeys() ? "%s-%d-".formatted(runId, producer) : null;
    }

    public ClientRequest get(int reader) {
        return plan.content().format() == Format.THRIFT
                ? new ThriftGetRequest(plan, partition(reader), clock)
                : new RestGetRequest(plan, reader);
    }

    private TopicAndPartition partition(int client) {
        LoadPlan.Place place = plan.place(client);
        String resourceName = resourceNames.getOrDefault(place.topic(), place.topic());
        return new TopicAndPartition(place.topic(), new TopicTalosResourceName(resourceName), place.partition());
    }
}
