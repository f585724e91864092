package io.talosgateway.deploy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.talosgateway.client.NewTopic;
import io.talosgateway.client.RetryPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Kills a gateway again and again while it is put to, and looks whether every promise that its answers made is kept.
 *
 * <p>{@code -Dcrash.kills} says how often it is killed, {@code -Dcrash.seed} repeats the messages and the pauses between
 * the kills of a run.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
abstract class CrashContract extends StorageContract {

    private static final int KILLS = Integer.getInteger("crash.kills", 5);
    private static final long SEED =
            Long.getLong("crash.seed", ThreadLocalRandom.current().nextInt(1_000_000_000));
    private static final int WRITERS = 16;
    private static final int PARTITIONS = 12;
    private static final int FOLLOWERS = 2;
    private static final int MAX_LOAD_MS = 2_500;
    private static final int MAX_SERVING_MS = 300;
    private static final int MAX_STARTING_MS = 1_500;
    private static final int LAST_SERVING_MS = 1_000;
    private static final String TOPIC = "crash";

    private final Random random = new Random(SEED);
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final List<Future<List<CrashPut>>> writers = new ArrayList<>();
    private final List<TopicFollower> followers = new ArrayList<>();
    /** What each follower saw of each partition. */
    private final List<List<List<CrashMessage>>> seen = new ArrayList<>();

    /** Small files, so that kills meet their ends and beginnings; little memory, so that followers read files, too. */
    @Override
    Map<String, String> settings() {
        return Map.of("journal.file-size", "1MiB", "journal.tail-cache-size", "1MiB");
    }

    @Test
    void acknowledgedMessagesOutliveKills() {
        say("-Dcrash.seed=%d -Dcrash.kills=%d".formatted(SEED, KILLS));
        try {
            assertTimeoutPreemptively(Duration.ofSeconds(120 + 30L * KILLS), this::run);
        } catch (AssertionError | Exception e) {
            throw new AssertionError(
                    "with -Dcrash.seed=%d -Dcrash.kills=%d; logs and data are kept in %s"
                            .formatted(SEED, KILLS, gateway().directory().getParent()),
                    e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void say(String text) {
        System.out.println("crash: " + text);
    }

    private void run() throws Exception {
        gateway().client().build().createTopic(new NewTopic(TOPIC, PARTITIONS)).get();
        CrashRun run = new CrashRun(gateway(), TOPIC, PARTITIONS, SEED);
        for (int writer = 0; writer < WRITERS; writer++) {
            writers.add(threads.submit(new CrashWriter(writer, run)));
        }
        startFollowers();
        for (int kill = 1; kill <= KILLS; kill++) {
            killAtAnyMoment(run, kill);
        }
        gateway().runFor(Duration.ofMillis(LAST_SERVING_MS));
        run.end();
        List<List<CrashPut>> puts = new ArrayList<>();
        for (Future<List<CrashPut>> writer : writers) {
            puts.add(writer.get());
        }
        // So that everything is read from the storage.
        gateway().kill();
        gateway().start();
        check(run, puts);
    }

    private void startFollowers() {
        for (int number = 0; number < FOLLOWERS; number++) {
            List<List<CrashMessage>> seenByOne = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                seenByOne.add(Collections.synchronizedList(new ArrayList<>()));
            }
            seen.add(seenByOne);
            TopicFollower follower = new TopicFollower(
                    gateway()
                            .client()
                            .retries(new RetryPolicy(100, Duration.ofMillis(50), Duration.ofMillis(200)))
                            .build(),
                    TOPIC,
                    PARTITIONS,
                    (partition, message) -> seenByOne.get(partition).add(CrashMessage.of(message.payload())));
            followers.add(follower);
            follower.start();
        }
    }

    private void killAtAnyMoment(CrashRun run, int kill) throws Exception {
        if (random.nextInt(4) == 0) {
            gateway().runFor(Duration.ofMillis(random.nextInt(MAX_SERVING_MS)));
        } else {
            awaitLoad(run);
            gateway().runFor(Duration.ofMillis(random.nextInt(MAX_LOAD_MS)));
        }
        failIfSomebodyFailed();
        run.gatewayIsAway();
        gateway().kill();
        boolean againWhileItStarts = random.nextInt(4) == 0;
        if (againWhileItStarts) {
            gateway().launch();
            gateway().runFor(Duration.ofMillis(random.nextInt(MAX_STARTING_MS)));
            gateway().kill();
        }
        long startedAtNanos = System.nanoTime();
        gateway().start();
        run.gatewayServes();
        say("kill %d of %d%s: %,d messages acknowledged so far, serves again after %,d ms"
                .formatted(
                        kill,
                        KILLS,
                        againWhileItStarts ? ", and once more while it started" : "",
                        run.acknowledged(),
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedAtNanos)));
    }

    /** However slow the machine is, most kills are to meet puts on their way. */
    private void awaitLoad(CrashRun run) throws Exception {
        long before = run.acknowledged();
        while (run.acknowledged() == before) {
            gateway().runFor(Duration.ofMillis(5));
            failIfSomebodyFailed();
        }
    }

    /** Writers end with an exception only while the run goes on. */
    private void failIfSomebodyFailed() throws Exception {
        for (Future<List<CrashPut>> writer : writers) {
            if (writer.isDone()) {
                writer.get();
            }
        }
        for (TopicFollower follower : followers) {
            if (follower.failure().isDone()) {
                follower.failure().get();
            }
        }
    }

    private void check(CrashRun run, List<List<CrashPut>> puts) throws Exception {
        CrashCheck check = new CrashCheck(run, puts);
        assertThat(check.problems()).isEmpty();
        long stored = check.read().stream().mapToLong(List::size).sum();
        say("%,d messages acknowledged, %,d stored; puts: %s".formatted(run.acknowledged(), stored, outcomes(puts)));
        assertThat(run.acknowledged()).as("messages acknowledged").isGreaterThan(KILLS);
        for (int number = 0; number < FOLLOWERS; number++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                awaitSeen(number, partition, check.read().get(partition));
            }
        }
        followers.forEach(TopicFollower::stop);
        failIfSomebodyFailed();
    }

    private static Map<CrashPut.Outcome, Long> outcomes(List<List<CrashPut>> puts) {
        return puts.stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(
                        CrashPut::outcome, () -> new EnumMap<>(CrashPut.Outcome.class), Collectors.counting()));
    }

    /** What a follower saw while it happened is what is there in the end. */
    private void awaitSeen(int follower, int partition, List<CrashMessage> stored) throws Exception {
        List<CrashMessage> seenOfIt = seen.get(follower).get(partition);
        while (seenOfIt.size() < stored.size()) {
            failIfSomebodyFailed();
            TimeUnit.MILLISECONDS.sleep(20);
        }
        assertThat(List.copyOf(seenOfIt))
                .as("what follower %d saw of partition %d", follower, partition)
                .isEqualTo(stored);
    }
}
