package io.talosgateway.loadgen.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.http.Connection;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Watch;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.stages.StageRecorder;
import io.talosgateway.loadgen.stages.StageTimes;
import org.jspecify.annotations.Nullable;

/**
 * One client beside the load that asks the gateway when its requests pass which stages ({@code Talos-Stages}). Its requests
 * wait in the same queues as those of the load, and are as many as to show where the time goes, and too few to count as load:
 * the load itself stays as it is without the probe.
 *
 * <p>A put goes to the next partition in turn, as raw bytes; a get reads the newest message of the next partition, without
 * waiting for one. {@link #start} and {@link #stop} by one thread; the probe has one of its own.
 */
public final class StageProbe {

    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int WATCH_TICK_MS = 500;

    private final String headers;
    private final List<String> paths;
    private final byte[] message;
    private final Connection connection;
    private final Map<Kind, StageRecorder> recorders = new EnumMap<>(Kind.class);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    private BooleanSupplier counts = () -> false;
    private int turn;

    /**
     * A probe that does not run yet.
     *
     * @param paths of the messages of the partitions
     * @param kinds what to send, in turn
     * @param size bytes of a message to put
     */
    StageProbe(
            Endpoint endpoint,
            @Nullable Credentials credentials,
            List<String> paths,
            List<Kind> kinds,
            int size,
            long seed) {
        this.connection = new Connection(endpoint.address(), endpoint.wires(), ANSWER_TIMEOUT_NANOS, new HttpAnswer());
        this.headers = " HTTP/1.1\r\n" + endpoint.headers(credentials);
        this.paths = paths;
        this.message = new byte[size];
        new Random(seed).nextBytes(message);
        kinds.forEach(kind -> recorders.put(kind, new StageRecorder(kind.text())));
        this.thread = new Thread(this::run, "stage-probe");
        thread.setDaemon(true);
    }

    /**
     * Begins; what is asked in the warm-up does not count.
     *
     * @param warm whether the warm-up is over; any thread
     */
    public void start(BooleanSupplier warm) {
        counts = warm;
        thread.start();
    }

    /** Ends, and says where the time went. */
    public List<StageTimes> stop() throws InterruptedException {
        stopped.countDown();
        thread.join();
        return recorders.values().stream().map(StageRecorder::times).toList();
    }

    private void run() {
        try (connection;
                Watch watch = new Watch(WATCH_TICK_MS)) {
            watch.add(connection);
            watch.start();
            do {
                recorders.forEach(this::probe);
                turn++;
            } while (!stopped.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void probe(Kind kind, StageRecorder recorder) {
        String path = paths.get(turn % paths.size());
        try {
            ByteBuffer[] request = kind == Kind.PUT ? put(path) : get(path);
            if (request != null) {
                measure(request, recorder);
            }
        } catch (IOException e) {
            recorder.failed("the connection broke: " + e.getMessage());
        }
    }

    private void measure(ByteBuffer[] request, StageRecorder recorder) throws IOException {
        connection.open();
        boolean counted = counts.getAsBoolean();
        long sentAtNanos = System.nanoTime();
        HttpAnswer answer = connection.exchange(request);
        long gotAtNanos = System.nanoTime();
        String stages = answer.stages();
        if (answer.status() != 200) {
            recorder.failed("the gateway answered with status " + answer.status());
        } else if (stages == null) {
            recorder.failed("the server does not say when requests pass their stages");
        } else if (counted && stopped.getCount() > 0) {
            recorder.record(sentAtNanos, stages, gotAtNanos);
        }
    }

    private ByteBuffer[] put(String path) {
        String head = "POST " + path + headers + "Talos-Stages: on\r\nContent-Type: application/octet-stream\r\n"
                + "Content-Length: " + message.length + "\r\n\r\n";
        return new ByteBuffer[] {ascii(head), ByteBuffer.wrap(message)};
    }

    /** Null if there is nothing to be read. */
    private ByteBuffer @Nullable [] get(String path) throws IOException {
        ByteBuffer[] look = {ascii("GET " + path + "?offset=latest&max-messages=1" + headers + "\r\n")};
        long end = connection.exchange(look).nextOffset();
        return end <= 0
                ? null
                : new ByteBuffer[] {
                    ascii("GET " + path + "?max-messages=1&offset=" + (end - 1) + headers + "Talos-Stages: on\r\n\r\n")
                };
    }

    private static ByteBuffer ascii(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** A probe that does what the load of a plan does, on all of its partitions. */
    public static StageProbe of(LoadPlan plan) {
        List<Kind> kinds = new ArrayList<>();
        if (plan.puts().clients() > 0) {
            kinds.add(Kind.PUT);
        }
        if (plan.gets().clients() > 0) {
            kinds.add(Kind.GET);
        }
        return new StageProbe(
                plan.target().endpoint(),
                plan.target().credentials(),
                paths(plan.target().topics(), plan.target().partitions()),
                kinds,
                (int) Math.round(plan.content().sizes().mean()),
                plan.content().seed());
    }

    /** The paths of the messages of so many partitions of each topic. */
    static List<String> paths(List<String> topics, int partitions) {
        List<String> paths = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            for (String topic : topics) {
                paths.add("/v1/topics/%s/partitions/%d/messages".formatted(topic, partition));
            }
        }
        return paths;
    }
}
