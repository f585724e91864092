package io.talosgateway.verifier;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.client.Messages;
import io.talosgateway.loadgen.http.HttpAnswer;
import org.jspecify.annotations.Nullable;

/**
 * One short phase after another, in which some clients of each gateway put, get and ask for the end of few partitions, all at the same
 * instants. Each phase has a topic that was just made; it is deleted after it, and the next one is made under the
 * same name. The histories of the phases are checked. {@link #run} is called once, by the thread that does it.
 */
final class Phases {

    private static final int CLIENTS_OF_A_GATEWAY = 3;
    /** Whether a topic was deleted, the phase after it shows. */
    private static final int ENOUGH = 2;

    private static final long POLL_MS = 100;
    private static final long ALL_KNOW_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long READS_ALL_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final VerifyContext context;
    private final BiFunction<String, VerifyRun.Task, Thread> starter;
    private final SplittableRandom random;
    private final CountDownLatch stop;
    private final CountDownLatch enough = new CountDownLatch(ENOUGH);
    private final int gateways;
    private final List<AtomicInteger> numbers;
    /** By partition: puts of earlier phases which may still take effect. */
    private final List<List<HistoryOperation>> unknown;

    private int names;
    /** Of the last topic of this name; null if there was none, empty if its id is not known. */
    private @Nullable String lastId;

    private long histories;
    private long operations;

    /** How many histories were checked. */
    record Summary(long histories, long operations) {}

    /**
     * Phases.
     *
     * @param starter starts a thread
     * @param stop ends the phase that is under way, which is checked then
     */
    Phases(
            VerifyContext context,
            BiFunction<String, VerifyRun.Task, Thread> starter,
            SplittableRandom random,
            CountDownLatch stop) {
        this.context = context;
        this.starter = starter;
        this.random = random;
        this.stop = stop;
        this.gateways = context.cluster().gateways().size();
        this.numbers = Stream.generate(AtomicInteger::new)
                .limit((long) gateways * CLIENTS_OF_A_GATEWAY)
                .toList();
        this.unknown = Stream.<List<HistoryOperation>>generate(ArrayList::new)
                .limit(Phase.PARTITIONS)
                .toList();
    }

    void run() throws InterruptedException {
        try (Calls topics = new Calls(context)) {
            while (stop.getCount() > 0) {
                if (makeTopic(topics)) {
                    phase();
                    enough.countDown();
                }
                deleteTopic(topics);
            }
        }
    }

    /** Whether there were as many as a verdict needs. For any thread. */
    boolean areEnough() {
        return enough.getCount() == 0;
    }

    /** To be asked when {@link #run} has ended. */
    Summary summary() {
        return new Summary(histories, operations);
    }

    private void phase() throws InterruptedException {
        Phase phase = new Phase(context, topic(), unknown);
        List<Thread> clients = new ArrayList<>();
        for (int client = 0; client < numbers.size(); client++) {
            int gateway = client % gateways;
            int writer = context.plan().prober() + 1 + client;
            AtomicInteger ofClient = numbers.get(client);
            SplittableRandom randomOfClient = random.split();
            clients.add(starter.apply(
                    "phase client " + client, () -> phase.act(gateway, writer, ofClient, randomOfClient, stop)));
        }
        VerifyRun.join(clients);
        try (Calls calls = phase.calls()) {
            for (int partition = 0; partition < Phase.PARTITIONS; partition++) {
                readAll(calls, partition);
                List<HistoryOperation> history = phase.history(partition);
                check("partition %d of %s".formatted(partition, topic()), history);
                unknown.get(partition).clear();
                history.stream()
                        .filter(operation -> operation.kind() == HistoryOperation.Kind.MAYBE_PUT)
                        .map(HistoryOperation::anyTime)
                        .forEach(unknown.get(partition)::add);
            }
        }
    }

    /** So that it is known of every put whether it was stored. */
    private void readAll(Calls calls, int partition) throws InterruptedException {
        long untilNanos = context.nowNanos() + READS_ALL_NANOS;
        long offset = 0;
        while (context.nowNanos() < untilNanos) {
            Messages messages = calls.get(partition, new From(offset), Duration.ZERO, choose())
                    .messages();
            if (messages == null) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            } else if (messages.messages().isEmpty()) {
                return;
            } else {
                offset = messages.nextOffset();
            }
        }
    }

    private void check(String name, List<HistoryOperation> history) {
        histories++;
        operations += history.size();
        List<HistoryOperation> contradiction = Linearizability.contradiction(history);
        if (!contradiction.isEmpty()) {
            context.books()
                    .violations
                    .add(
                            Rule.LINEARIZABLE,
                            "of %d operations on %s, these %d contradict each other (call, return, gateway, answer)"
                                    .formatted(history.size(), name, contradiction.size()),
                            () -> contradiction.stream()
                                    .map(HistoryOperation::toString)
                                    .toList());
        }
    }

    private String topic() {
        return context.names().topic() + "-phase-" + names;
    }

    /**
     * Makes the topic. Every gateway has to know the new one, or none has known an old one of its name: a gateway learns of
     * topics a little later than others make them.
     */
    private boolean makeTopic(Calls calls) throws InterruptedException {
        String json = "{\"name\":\"%s\",\"partitions\":%d}".formatted(topic(), Phase.PARTITIONS);
        long untilNanos = context.nowNanos() + ALL_KNOW_NANOS;
        while (context.nowNanos() < untilNanos && stop.getCount() > 0) {
            calls.topic(choose(), "POST", "/v1/topics", json);
            List<String> ids = IntStream.range(0, gateways)
                    .mapToObj(gateway -> id(calls, gateway))
                    .toList();
            boolean agreed = ids.stream().distinct().count() == 1;
            String id = ids.get(0);
            if (agreed && !id.isEmpty() && !id.equals(lastId)) {
                lastId = id;
                return true;
            }
            if (lastId == null && ids.stream().anyMatch(known -> !known.isEmpty())) {
                lastId = "";
                return true;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        return false;
    }

    /** Under another name next time, unless all gateways say that it is gone. */
    private void deleteTopic(Calls calls) throws InterruptedException {
        long untilNanos = context.nowNanos() + ALL_KNOW_NANOS;
        boolean gone = false;
        while (!gone && context.nowNanos() < untilNanos) {
            calls.topic(choose(), "DELETE", Namespace.topicPath(topic()), "");
            gone = true;
            for (int gateway = 0; gateway < gateways; gateway++) {
                HttpAnswer answer = calls.topic(gateway, "GET", Namespace.topicPath(topic()), "");
                gone &= answer != null && answer.status() == 404;
            }
            if (!gone) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        }
        if (!gone) {
            names++;
            lastId = null;
            unknown.forEach(List::clear);
        }
    }

    private int choose() {
        return context.choice().choose(random, context.nowNanos());
    }

    /** What a gateway takes the topic to be; empty if it knows none, or does not answer. */
    private String id(Calls calls, int gateway) {
        HttpAnswer answer = calls.topic(gateway, "GET", Namespace.topicPath(topic()), "");
        if (answer == null || answer.status() != 200) {
            return "";
        }
        try {
            return MAPPER.readTree(answer.body()).path("resourceName").asText();
        } catch (IOException e) {
            return "";
        }
    }
}
