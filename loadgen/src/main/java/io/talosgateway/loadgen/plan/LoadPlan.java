package io.talosgateway.loadgen.plan;

import java.time.Duration;
import java.util.List;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.content.Sizes;
import org.jspecify.annotations.Nullable;

/**
 * What a run does.
 *
 * @param warmup load before anything counts
 * @param duration how long it counts
 * @param ioThreads event loops that drive all clients; null for a thread for each client
 * @param idle connections beside the load, which put a message of {@value #IDLE_BYTES} bytes now and then
 */
public record LoadPlan(
        Target target,
        Traffic puts,
        Traffic gets,
        Content content,
        Warmup warmup,
        Duration duration,
        @Nullable Integer ioThreads,
        Traffic idle) {

    static final int MAX_THREADS = 20_000;
    static final int IDLE_BYTES = 256;
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
        checkRate("--%s-rate".formatted(kind), kind, traffic.rate(), traffic.clients());
        checkRate("--%s-rate-per-thread".formatted(kind), kind, traffic.ratePerClient(), traffic.clients());
        LoadFailure.check(
                traffic.rate() == null || traffic.ratePerClient() == null,
                "--%s-rate is of all threads together and --%s-rate-per-thread of each: say one of them"
                        .formatted(kind, kind));
    }

    private static void checkRate(String option, String kind, @Nullable Double rate, int threads) {
        LoadFailure.check(rate == null || (rate > 0 && Double.isFinite(rate)), option + " must be more than 0");
        LoadFailure.check(rate == null || threads > 0, "%s is for nobody: --%s-threads is 0".formatted(option, kind));
    }

    /** The same with what idle connections put. */
    public LoadPlan ofIdle() {
        Content small = new Content(
                Format.RAW,
                Sizes.fixed(IDLE_BYTES),
                1,
                MessageCompression.NONE,
                0,
                content.timeout(),
                content.getWait(),
                content.seed(),
                false);
        return new LoadPlan(target, puts, gets, small, warmup, duration, ioThreads, idle);
    }

    /** Where the clients of a kind put or get, each at its partition: all of the first topic, then those of the next, and so on. */
    public Place place(int client) {
        List<String> topics = target.topics();
        return new Place(topics.get(client / target.partitions() % topics.size()), client % target.partitions());
    }

    /** The path of the messages of a client's partition. */
    public String messagesPath(int client) {
        Place place = place(client);
        return "/v1/topics/%s/partitions/%d/messages".formatted(place.topic(), place.partition());
    }

    /** The lines that every request to the JSON interface has after its request line, without the empty one. */
    public String commonHeaders() {
        return target.headers(target.credentials());
    }
}
