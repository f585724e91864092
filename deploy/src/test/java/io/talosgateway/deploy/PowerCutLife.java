package io.talosgateway.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GatewayClientException;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Message;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Partition;
import io.talosgateway.client.Position;
import io.talosgateway.client.Retry;
import io.talosgateway.client.RetryPolicy;
import io.talosgateway.powercut.CutDisk;
import io.talosgateway.powercut.Fate;
import io.talosgateway.powercut.PowerCutJvm;
import io.talosgateway.powercut.Recorder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A gateway that starts on an empty disk and goes through some power cuts. After each, it must start, and keep what its answers
 * promised.
 */
final class PowerCutLife implements AutoCloseable {

    private static final int WRITERS = 8;
    private static final int PARTITIONS = 3;
    private static final String DISK = "disk";
    private static final String MEMORY = "memory";
    private static final List<String> TOPICS = List.of(DISK, MEMORY);
    private static final int MAX_PUTS = 600;
    private static final int MAX_RECORDS = 500;
    private static final int REPEATS = 20;
    /** What a thread may have done and not recorded when it was killed, for each thread that writes files. */
    private static final int MAX_UNRECORDED_NAMES = 4;

    private static final int MAX_UNRECORDED_BYTES = 32 << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int MOST_PROBLEMS = 20;

    private final PowerCutMachine machine;
    private final Path directory;
    private final long seed;
    private final PowerCutJvm jvm;
    private final Random random;
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    /** By writer; a writer's own until it has ended. */
    private final List<List<PowerCutPut>> puts = new ArrayList<>();

    private final Map<PowerCutPut.State, Integer> seen = new EnumMap<>(PowerCutPut.State.class);
    private final Queue<SeenMessage> followed = new ConcurrentLinkedQueue<>();
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());
    private boolean topicsPromised;
    private long gaps;
    private long held;
    private long lost;

    /** What a reader got of the topic whose messages are forced. */
    private record SeenMessage(int partition, long offset, PowerCutMessage message) {}

    PowerCutLife(PowerCutMachine machine, Path directory, long seed, PowerCutJvm jvm) {
        this.machine = machine;
        this.directory = directory;
        this.seed = seed;
        this.jvm = jvm;
        this.random = new Random(seed);
        for (int writer = 0; writer < WRITERS; writer++) {
            puts.add(new ArrayList<>());
        }
    }

    void run(int cuts) throws Exception {
        for (int cut = 1; cut <= cuts; cut++) {
            cut(cut);
        }
        assertThat(machine.start(List.of())).as(gateway().log()).isTrue();
        check(true);
        repeatPuts();
        check(false);
        machine.kill();
        say("%d cuts; puts: %s; %d met a cut with an answer of the level memory, %d of them were lost; %d gaps reported"
                .formatted(cuts, seen, held, lost, gaps));
    }

    private GatewayProcess gateway() {
        return machine.gateway();
    }

    private void say(String text) {
        System.out.println("powercut: seed " + seed + ": " + text);
    }

    private void cut(int cut) throws Exception {
        CutDisk cutDisk = CutDisk.before(machine.disk(), machine::rule);
        Path trace = Files.createDirectory(directory.resolve("trace-" + cut));
        // Most cuts meet puts, the others anything: the start, recovery, checks, puts.
        long haltAfter = machine.mayHalt() && random.nextInt(3) == 0 ? 1 + random.nextInt(MAX_RECORDS) : 0;
        int answers = 1 + random.nextInt(MAX_PUTS);
        boolean serves = machine.start(List.of(jvm.option(machine.disk(), trace, haltAfter)));
        String when = "while it starts";
        if (serves) {
            when = "after it has started";
            if (checksAndRepeats()) {
                when = "under load";
                load(answers);
            }
        }
        OptionalInt status = gateway().exitStatus(Duration.ZERO);
        if (status.isPresent() && status.getAsInt() != Recorder.HALTED) {
            throw new AssertionError("after cut %d the gateway ended with status %d:%n%s"
                    .formatted(cut - 1, status.getAsInt(), gateway().log()));
        }
        machine.kill();
        assertThat(problems).as("before cut %d".formatted(cut)).isEmpty();
        long records = cutDisk.replay(trace);
        assertRecorded(cutDisk.afterCut(Fate.everything()), CutDisk.contentOf(machine.disk()));
        Fate fate = Fate.of(random);
        CutDisk.write(cutDisk.afterCut(fate), machine.disk());
        say("cut %d %s (%d file operations): the disk %s".formatted(cut, when, records, fate));
    }

    /** Otherwise the cut would be of another program. */
    private static void assertRecorded(Map<String, byte[]> recorded, Map<String, byte[]> actual) {
        List<String> others = new ArrayList<>(recorded.keySet());
        others.removeAll(actual.keySet());
        List<String> more = new ArrayList<>(actual.keySet());
        more.removeAll(recorded.keySet());
        assertThat(others.size()).as("recorded only: %s", others).isLessThanOrEqualTo(MAX_UNRECORDED_NAMES);
        assertThat(more.size()).as("not recorded: %s", more).isLessThanOrEqualTo(MAX_UNRECORDED_NAMES);
        recorded.keySet().retainAll(actual.keySet());
        recorded.forEach((name, bytes) -> {
            byte[] there = actual.get(name);
            int length = Math.min(bytes.length, there.length);
            assertThat(there.length - length).as("not recorded of " + name).isLessThan(MAX_UNRECORDED_BYTES);
            assertThat(Arrays.equals(bytes, 0, length, there, 0, length))
                    .as("what was recorded of " + name)
                    .isTrue();
        });
    }

    private boolean isGone() throws Exception {
        return gateway().exitStatus(TIMEOUT).isPresent();
    }

    /** False if the gateway ended meanwhile. */
    private boolean checksAndRepeats() throws Exception {
        try {
            createTopics();
            check(true);
            repeatPuts();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof GatewayClientException reason && reason.code() == null && isGone()) {
                return false;
            }
            throw e;
        }
    }

    private GatewayClient client() {
        return gateway()
                .client()
                .timeout(TIMEOUT)
                .retries(new RetryPolicy(4, Duration.ofMillis(20), Duration.ofMillis(200)))
                .build();
    }

    private void createTopics() throws Exception {
        GatewayClient client = client();
        for (String topic : TOPICS) {
            try {
                client.topic(topic).get();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof GatewayClientException reason)
                        || !"topic-not-found".equals(reason.code())) {
                    throw e;
                }
                if (topicsPromised) {
                    problem("topic " + topic, "was created, and is gone");
                }
                client.createTopic(new NewTopic(topic, PARTITIONS, null, Map.of("talos.durability", topic)))
                        .get();
            }
        }
        topicsPromised = true;
    }

    private void problem(String what, String problem) {
        if (problem != null && problems.size() < MOST_PROBLEMS) {
            problems.add(what + " " + problem);
        }
    }

    /**
     * Reads everything, and compares it with what was answered.
     *
     * @param cut whether the power was cut since
     */
    private void check(boolean cut) throws Exception {
        puts.forEach(ofWriter -> ofWriter.forEach(PowerCutPut::forgetFound));
        GatewayClient client = client();
        for (String topic : TOPICS) {
            for (Partition partition : served(client, topic)) {
                readAll(client, topic, partition);
            }
        }
        seen.clear();
        for (List<PowerCutPut> ofWriter : puts) {
            for (PowerCutPut put : ofWriter) {
                boolean wasHeld = put.state() == PowerCutPut.State.HELD;
                problem(put.toString(), put.allRead(cut));
                seen.merge(put.state(), 1, Integer::sum);
                held += wasHeld ? 1 : 0;
                lost += wasHeld && put.state() == PowerCutPut.State.LOST ? 1 : 0;
            }
        }
        assertThat(problems).isEmpty();
    }

    private List<Partition> served(GatewayClient client, String topic) throws Exception {
        long deadlineAtNanos = System.nanoTime() + TIMEOUT.toNanos();
        List<Partition> partitions = client.partitions(topic).get();
        while (partitions.stream().anyMatch(partition -> partition.logEndOffset() == null)
                && System.nanoTime() - deadlineAtNanos < 0
                && gateway().exitStatus(Duration.ofMillis(20)).isEmpty()) {
            partitions = client.partitions(topic).get();
        }
        return partitions;
    }

    private void readAll(GatewayClient client, String topic, Partition partition) throws Exception {
        int number = partition.partition();
        long offset = partition.logStartOffset();
        long end = partition.logEndOffset();
        String where = topic + "/" + number;
        if (topic.equals(DISK)) {
            problem(where, offset == 0 ? null : "starts at offset " + offset);
        }
        List<PowerCutMessage> found = new ArrayList<>();
        while (offset < end) {
            List<Message> messages = messagesAt(client, topic, number, offset);
            if (messages.isEmpty()) {
                problem(where + " offset " + offset, topic.equals(DISK) ? "is reported as lost" : null);
                gaps++;
                offset++;
                found.add(null);
            }
            for (Message message : messages) {
                if (message.offset() != offset) {
                    problem(where, "has offset %d where %d should be".formatted(message.offset(), offset));
                }
                found.add(found(topic, number, message));
                offset = message.offset() + 1;
            }
        }
        if (topic.equals(DISK)) {
            for (SeenMessage message : followed) {
                boolean there = message.partition != number
                        || (message.offset < found.size() && message.message.equals(found.get((int) message.offset)));
                problem(where + " offset " + message.offset, there ? null : "was read before, and is gone");
            }
        }
    }

    /** Nothing if the gateway says that the message is lost. */
    private List<Message> messagesAt(GatewayClient client, String topic, int partition, long offset) throws Exception {
        // A get that meets a lost message on its way fails as a whole.
        for (GetOptions options : List.of(GetOptions.DEFAULT, GetOptions.DEFAULT.withMaxMessages(1))) {
            try {
                List<Message> messages = client.get(topic, partition, Position.offset(offset), options)
                        .get()
                        .messages();
                assertThat(messages)
                        .as("%s/%d at offset %d", topic, partition, offset)
                        .isNotEmpty();
                return messages;
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof GatewayClientException reason)
                        || !"storage-corrupt".equals(reason.code())) {
                    throw e;
                }
            }
        }
        return List.of();
    }

    private PowerCutMessage found(String topic, int partition, Message message) {
        String where = "%s/%d offset %d".formatted(topic, partition, message.offset());
        PowerCutMessage header = PowerCutMessage.of(message.payload());
        boolean known = header != null
                && header.writer() >= 0
                && header.writer() < WRITERS
                && header.number() >= 0
                && header.number() < puts.get(header.writer()).size();
        if (!known) {
            problem(where, "holds what nobody put");
            return header;
        }
        PowerCutPut put = puts.get(header.writer()).get(header.number());
        problem(where + ", of " + put + ",", put.found(header.index(), topic, partition, message.offset()));
        boolean same = Arrays.equals(message.payload(), header.payload(seed));
        problem(where + ", of " + put + ",", same ? null : "has other bytes than were put");
        return header;
    }

    /** Those that may be stored, and some of the others: with their keys, so that each is stored once. */
    private void repeatPuts() throws Exception {
        Map<PowerCutPut.State, Integer> repeated = new EnumMap<>(PowerCutPut.State.class);
        GatewayClient client = client();
        for (List<PowerCutPut> ofWriter : puts) {
            List<PowerCutPut> shuffled = new ArrayList<>(ofWriter);
            Collections.shuffle(shuffled, random);
            for (PowerCutPut put : shuffled) {
                if (repeated.merge(put.state(), 1, Integer::sum) <= REPEATS
                        || put.state() == PowerCutPut.State.UNKNOWN) {
                    put.repeated();
                    problem(
                            put.toString(),
                            put.answered(
                                    client.put(put.topic(), put.partition(), put.messages(seed), put.idempotencyKey())
                                            .get()));
                }
            }
        }
        assertThat(problems).isEmpty();
    }

    /** Puts until there were so many answers, or the gateway ended. Returns when the gateway is gone, and the writers are. */
    private void load(int answers) throws Exception {
        CountDownLatch answered = new CountDownLatch(answers);
        TopicFollower follower = new TopicFollower(
                client(),
                DISK,
                PARTITIONS,
                (partition, message) -> followed.add(
                        new SeenMessage(partition, message.offset(), PowerCutMessage.of(message.payload()))));
        followed.clear();
        follower.start();
        // Puts of both levels that are written together are all forced.
        boolean memoryOnly = random.nextInt(3) == 0;
        List<Future<?>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            int id = writer;
            Random choices = new Random(random.nextLong());
            writers.add(threads.submit(() -> {
                write(id, memoryOnly ? MEMORY : TOPICS.get(id % TOPICS.size()), choices, answered);
                return null;
            }));
        }
        long deadlineAtNanos = System.nanoTime() + 2 * TIMEOUT.toNanos();
        while (!answered.await(20, TimeUnit.MILLISECONDS)
                && gateway().exitStatus(Duration.ZERO).isEmpty()
                && System.nanoTime() - deadlineAtNanos < 0) {
            for (Future<?> writer : writers) {
                if (writer.isDone()) {
                    writer.get();
                }
            }
        }
        machine.kill();
        follower.stop();
        for (Future<?> writer : writers) {
            writer.get();
        }
    }

    private void write(int id, String topic, Random choices, CountDownLatch answered) throws Exception {
        GatewayClient client = client();
        List<PowerCutPut> mine = puts.get(id);
        while (gateway().isAlive()) {
            PowerCutPut put =
                    new PowerCutPut(id, mine.size(), topic, choices.nextInt(PARTITIONS), 1 + choices.nextInt(3));
            mine.add(put);
            try {
                problem(
                        put.toString(),
                        put.answered(client.put(put.topic(), put.partition(), put.messages(seed), put.idempotencyKey())
                                .get()));
                answered.countDown();
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof GatewayClientException reason) || reason.retry() == Retry.NEVER) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() throws Exception {
        machine.close();
        threads.shutdownNow();
    }
}
