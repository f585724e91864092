package io.talosgateway.localcluster;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Partition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The official SDK's consumers, each in a process, behind a load balancer that sends each of their calls to another gateway.
 * Workers are killed and join, gateways are killed and restarted: every message is processed, and none is skipped. Nobody else who
 * uses the gateways sees an error when they are restarted, one after another.
 */
final class ConsumerGroupIT {

    private static final int GATEWAYS = 3;
    private static final int PARTITIONS = 12;
    private static final int WORKERS = 3;
    private static final int BATCH = 3;
    private static final int LEASE_SECONDS = 10;
    private static final long PAUSE_MS = 300;
    private static final long LOOK_MS = 50;
    private static final Duration BETWEEN_REPLACEMENTS = Duration.ofSeconds(20);
    private static final long MOST_NANOS = TimeUnit.MINUTES.toNanos(5);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    private final Properties properties = new Properties();
    private final List<Worker> workers = new ArrayList<>();
    private ClusterScript cluster;
    private LoadBalancer balancer;
    private GatewayClient client;
    private String resourceName;
    private Thread producer;
    private volatile boolean produces = true;
    /** Messages of each partition. Of the producer, until it ends. */
    private final long[] produced = new long[PARTITIONS];

    @BeforeEach
    void up() throws Exception {
        cluster = new ClusterScript(directory);
        List<String> up = new ArrayList<>(List.of(
                "up",
                "--gateways",
                String.valueOf(GATEWAYS),
                "--datanodes",
                "2",
                "--set",
                "zookeeper.session-timeout=10s",
                "--set",
                "cluster.removal-delay=1s",
                "--set",
                "consumer-group.lease=" + LEASE_SECONDS + "s"));
        up.addAll(SteadyUsers.PATIENCE);
        cluster.succeed(up.toArray(String[]::new));
        try (Reader reader = Files.newBufferedReader(cluster.folder().resolve("cluster.properties"))) {
            properties.load(reader);
        }
        balancer = LoadBalancer.of(properties, GATEWAYS);
        client = GatewayClient.builder(balancer.endpoint())
                .key(properties.getProperty("access.key-id"), properties.getProperty("access.secret"))
                .build();
        resourceName = client.createTopic(new NewTopic("t", PARTITIONS)).get().resourceName();
        producer = new Thread(this::produce, "producer");
        producer.start();
    }

    @AfterEach
    void down() throws Exception {
        produces = false;
        producer.join();
        for (Worker worker : workers) {
            worker.process.destroyForcibly().waitFor();
        }
        balancer.close();
        cluster.down();
    }

    private void produce() {
        try {
            while (produces) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    List<NewMessage> batch = new ArrayList<>();
                    for (int number = 0; number < BATCH; number++) {
                        batch.add(NewMessage.of("message " + (produced[partition] + number)));
                    }
                    putUntilStored(partition, batch);
                    produced[partition] += BATCH;
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A gateway that is killed takes requests with it, which the client does not know to be lost. */
    private void putUntilStored(int partition, List<NewMessage> batch) throws InterruptedException {
        String key = partition + " " + produced[partition];
        while (true) {
            try {
                client.put("t", partition, batch, key).get();
                return;
            } catch (ExecutionException e) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        }
    }

    /** A process of a user. */
    private final class Worker {

        private final Path file;
        private final Path output;
        private final Process process;

        Worker(String name) throws IOException {
            file = directory.resolve(name + ".txt");
            output = directory.resolve(name + ".log");
            process = new ProcessBuilder(
                            System.getProperty("java.home") + "/bin/java",
                            "-Xmx128m",
                            "-XX:TieredStopAtLevel=1",
                            // For the SDK's digest of bodies.
                            "--add-exports",
                            "java.xml/com.sun.org.apache.xerces.internal.impl.dv.util=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                            GroupWorker.class.getName(),
                            balancer.endpoint().toString(),
                            properties.getProperty("access.key-id"),
                            properties.getProperty("access.secret"),
                            resourceName,
                            file.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            workers.add(this);
        }

        /** What it has processed, in order: partition and offset. */
        List<long[]> processed() throws IOException {
            if (!Files.exists(file)) {
                return List.of();
            }
            List<long[]> all = new ArrayList<>();
            String text = Files.readString(file);
            // A last line may just be written.
            for (String line :
                    text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
                String[] words = line.split(" ", -1);
                all.add(new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])});
            }
            return all;
        }
    }

    /** The highest offset that was processed, of each partition. */
    private long[] progress() throws IOException {
        long[] highest = new long[PARTITIONS];
        Arrays.fill(highest, -1);
        for (Worker worker : workers) {
            for (long[] one : worker.processed()) {
                highest[(int) one[0]] = Math.max(highest[(int) one[0]], one[1]);
            }
        }
        return highest;
    }

    /** Waits until a message of each partition has been processed that was put after this was called. */
    private void awaitAllRead(String after) throws Exception {
        long beganNanos = System.nanoTime();
        long[] ends = ends();
        await(ends);
        System.out.printf(
                "Consumer group: all partitions are read %.1f s after %s%n",
                (System.nanoTime() - beganNanos) / 1e9, after);
    }

    private void await(long[] ends) throws Exception {
        long beganNanos = System.nanoTime();
        while (!isBeyond(progress(), ends)) {
            assertThat(System.nanoTime() - beganNanos)
                    .as("time without progress to %s, but to %s", Arrays.toString(ends), Arrays.toString(progress()))
                    .isLessThan(MOST_NANOS);
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }

    /** Asks until all are known: no host may serve a partition for a moment, and after a power cut no host answers at all. */
    private long[] ends() throws Exception {
        while (true) {
            try {
                List<Partition> partitions = client.partitions("t").get();
                if (partitions.stream().allMatch(partition -> partition.logEndOffset() != null)) {
                    long[] ends = new long[PARTITIONS];
                    partitions.forEach(partition -> ends[partition.partition()] = partition.logEndOffset());
                    return ends;
                }
            } catch (ExecutionException e) {
                // Asked again.
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }

    private static boolean isBeyond(long[] progress, long[] ends) {
        return IntStream.range(0, PARTITIONS).allMatch(partition -> progress[partition] >= ends[partition]);
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void everyMessageIsProcessedWhoeverIsKilled() throws Exception {
        Worker first = new Worker("first");
        new Worker("second");
        new Worker("third");
        awaitAllRead("three workers were started");

        first.process.destroyForcibly().waitFor();
        awaitAllRead("the kill of a worker");
        Worker joining = new Worker("joining");
        while (joining.processed().isEmpty()) {
            // A worker that cannot register itself ends.
            if (!joining.process.isAlive()) {
                joining = new Worker("joining-" + workers.size());
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
        awaitAllRead("a worker joined");

        cluster.succeed("kill", "gateway-2");
        awaitAllRead("the kill of a gateway");
        cluster.succeed("start", "gateway-2");
        restartAllGateways();

        awaitTheEnd();
        assertNoneSkipped();
        assertOffsetsResumed();
    }

    /** One after another: no committed offset falls, no worker is lost for longer than its lease, and no user sees an error. */
    private void restartAllGateways() throws Exception {
        SteadyUsers users = new SteadyUsers(
                balancer.endpoint(), properties.getProperty("access.key-id"), properties.getProperty("access.secret"));
        GroupWatch watch = GroupWatch.of(client, "t", GroupWorker.GROUP);
        try (watch) {
            users.start();
            for (int number = 1; number <= GATEWAYS; number++) {
                cluster.succeed("restart", "gateway-" + number);
            }
            awaitAllRead("the restart of all gateways");
        } finally {
            users.stop();
        }
        users.assertNobodySawAnything();
        System.out.printf(
                "Consumer group: described %d times during the restarts, a worker was missing for at most %.1f s%n",
                watch.answers(), watch.longestAbsenceSeconds());
        assertThat(watch.falls()).as("committed offsets that fell").isEmpty();
        assertThat(watch.longestAbsenceSeconds()).isLessThanOrEqualTo(LEASE_SECONDS);
        assertThat(watch.answers()).isGreaterThan(GATEWAYS);
    }

    /**
     * The faults are those of {@code talos-loadgen verify}, which checks the answers to its own requests meanwhile; workers are
     * killed and replaced, too. Another seed: {@code -Dgroup.seed=N}; so many minutes: {@code -Dgroup.minutes=10}.
     */
    @Test
    @Tag("by-hand")
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void everyMessageIsProcessedWhateverFails() throws Exception {
        long seed = Long.getLong("group.seed", 1);
        long minutes = Long.getLong("group.minutes", 10);
        Random random = new Random(seed);
        for (int number = 0; number < WORKERS; number++) {
            new Worker("worker-" + number);
        }
        awaitAllRead("three workers were started");

        FutureTask<ClusterScript.Result> verify = new FutureTask<>(() -> cluster.loadgen(
                Duration.ofMinutes(minutes + 10),
                "verify",
                "--seed",
                Long.toString(seed),
                "--duration",
                minutes + "m",
                "--faults",
                "kill,pause,restart,datanode,namenode,zookeeper,clock,disk-full,power",
                "--fault-every",
                "20s",
                "--pause-for",
                "8s",
                "--put-rate",
                "100",
                "--tolerance",
                "5s"));
        new Thread(verify, "verify").start();
        int replaced = 0;
        while (!endsWithin(verify, BETWEEN_REPLACEMENTS)) {
            List<Worker> alive = alive();
            if (!alive.isEmpty()) {
                alive.get(random.nextInt(alive.size()))
                        .process
                        .destroyForcibly()
                        .waitFor();
            }
            // One that started while nobody held its group has ended by itself: it is started again, as a service
            // manager does it.
            while (alive().size() < WORKERS) {
                new Worker("worker-" + workers.size());
                replaced++;
            }
            awaitAllRead("a worker was replaced, beside the faults of verify");
        }
        System.out.println(verify.get().output());
        assertThat(verify.get().status()).isZero();
        System.out.printf("Consumer group: %d workers were replaced%n", replaced);
        awaitTheEnd();
        assertNoneSkipped();
    }

    private List<Worker> alive() {
        return workers.stream().filter(worker -> worker.process.isAlive()).toList();
    }

    private static boolean endsWithin(Future<?> work, Duration time) throws Exception {
        try {
            work.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Until all that was put is processed. */
    private void awaitTheEnd() throws Exception {
        produces = false;
        producer.join();
        long[] last = produced.clone();
        IntStream.range(0, PARTITIONS).forEach(partition -> last[partition]--);
        await(last);
    }

    private void assertNoneSkipped() throws IOException {
        Map<Integer, BitSet> seen = new HashMap<>();
        for (Worker worker : workers) {
            for (long[] one : worker.processed()) {
                seen.computeIfAbsent((int) one[0], partition -> new BitSet()).set((int) one[1]);
            }
        }
        long total = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(seen.get(partition).nextClearBit(0))
                    .as("first message of partition %d that nobody has processed", partition)
                    .isEqualTo((int) produced[partition]);
            total += produced[partition];
        }
        System.out.printf("Consumer group: all of %d messages were processed%n", total);
    }

    /** Whoever took a partition over went on near where it was, and not at its beginning. */
    private void assertOffsetsResumed() throws IOException {
        long processed = 0;
        for (Worker worker : workers) {
            processed += worker.processed().size();
        }
        long total = IntStream.range(0, PARTITIONS)
                .mapToLong(partition -> produced[partition])
                .sum();
        System.out.printf("Consumer group: %d messages were processed more than once%n", processed - total);
        assertThat(processed - total).as("messages processed again").isLessThan(total / 2);
    }
}
