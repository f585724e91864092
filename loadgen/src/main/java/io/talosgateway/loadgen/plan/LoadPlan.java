package io.talosgateway.loadgen.plan;

import java.time.Duration;
import java.util.List;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.content.Content;
import org.jspecify.annotations.Nullable;

/**
 * What a run does.
 *
 * @param warmup load before anything counts
 * @param duration how long it counts
 * @param ioThreads event loops that drive all clients; null for a thread for each client
 */
public record LoadPlan(
        Target target,
        Traffic puts,
        Traffic gets,
        Content content,
        Warmup warmup,
        Duration duration,
        @Nullable Integer ioThreads) {

    static final int MAX_THREADS = 20_000;
    static final int MAX_IO_THREADS = 256;

    /** @param partition from 0 */
    public record Place(String topic, int partition) {}

    /** @throws LoadFailure with a sentence for the user if it cannot be done */
    public LoadPlan {
        checkTraffic("put", puts);
        checkTraffic("get", gets);
        LoadFailure.check(
                puts.clients() + gets.clients() > 0,
                "There is nothing to do: both --put-threads and --get-threads are 0");
        LoadFailure.check(
                ioThreads == null || (ioThreads >= 1 && ioThreads <= MAX_IO_THREADS),
                "--io-threads must be 1 to " + MAX_IO_THREADS);
        LoadFailure.check(duration.toMillis() >= 1, "--duration must be positive");
    }

    private static void checkTraffic(String kind, Traffic traffic) {
        LoadFailure.check(
                traffic.clients() >= 0 && traffic.clients() <= MAX_THREADS,
                "There can be 0 to %,d threads, or pending requests, of %ss".formatted(MAX_THREADS, kind));
        Double rate = traffic.rate();
        LoadFailure.check(
                rate == null || (rate > 0 && Double.isFinite(rate)), "--%s-rate must be more than 0".formatted(kind));
        LoadFailure.check(
                rate == null || traffic.clients() > 0, "--%s-rate is for nobody: --%1$s-threads is 0".formatted(kind));
    }

    /** Where the clients of a kind put or get, each at its partition: all of the first topic, then those of the next, and so on. */
    public Place place(int client) {
        List<String> topics = target.topics();
        return new Place(topics.get(client / target.partitions() % topics.size()), client % target.partitions());
    }

    public String messagesPath(int client) {
        Place place = place(client);
        return "/v1/topics/%s/partitions/%d/messages".formatted(place.topic(), place.partition());
    }

    /** The lines that every request to the JSON interface has after its request line, without the empty one. */
    public String commonHeaders() {
        return target.headers(target.credentials());
    }
}
