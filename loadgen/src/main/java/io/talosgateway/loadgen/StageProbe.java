package io.talosgateway.loadgen;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
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

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

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
final class StageProbe {

    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final int TIMEOUT_MS = 30_000;
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Endpoint endpoint;
    private final String headers;
    private final List<String> paths;
    private final byte[] message;
    private final Map<Kind, StageRecorder> recorders = new EnumMap<>(Kind.class);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private final HttpAnswer answer = new HttpAnswer();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteBuffer received = ByteBuffer.wrap(buffer);

    private long fromNanos;
    private int turn;
    private @Nullable Socket socket;

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
        this.endpoint = endpoint;
        this.headers = " HTTP/1.1\r\n" + endpoint.headers(credentials);
        this.paths = paths;
        this.message = new byte[size];
        new Random(seed).nextBytes(message);
        kinds.forEach(kind -> recorders.put(kind, new StageRecorder(kind.text())));
        this.thread = new Thread(this::run, "stage-probe");
        thread.setDaemon(true);
    }

    /** Begins; what is asked in the warm-up does not count. */
    void start(Duration warmup) {
        fromNanos = System.nanoTime() + warmup.toNanos();
        thread.start();
    }

    /** Ends, and says where the time went. */
    List<StageTimes> stop() throws InterruptedException {
        stopped.countDown();
        thread.join();
        return recorders.values().stream().map(StageRecorder::times).toList();
    }

    private void run() {
        try {
            do {
                recorders.forEach(this::probe);
                turn++;
            } while (!stopped.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            disconnect();
        }
    }

    private void probe(Kind kind, StageRecorder recorder) {
        String path = paths.get(turn % paths.size());
        try {
            byte[] request = kind == Kind.PUT ? put(path) : get(path);
            if (request != null) {
                measure(request, recorder);
            }
        } catch (IOException e) {
            recorder.failed("the connection broke: " + e.getMessage());
            disconnect();
        }
    }

    private void measure(byte[] request, StageRecorder recorder) throws IOException {
        open();
        long sentAtNanos = System.nanoTime();
        exchange(request);
        long gotAtNanos = System.nanoTime();
        String stages = answer.stages();
        if (answer.status() != 200) {
            recorder.failed("the gateway answered with status " + answer.status());
        } else if (stages == null) {
            recorder.failed("the server does not say when requests pass their stages");
        } else if (sentAtNanos - fromNanos >= 0 && stopped.getCount() > 0) {
            recorder.record(sentAtNanos, stages, gotAtNanos);
        }
    }

    private byte[] put(String path) {
        byte[] head = ascii("POST " + path + headers + "Talos-Stages: on\r\nContent-Type: application/octet-stream\r\n"
                + "Content-Length: " + message.length + "\r\n\r\n");
        byte[] request = new byte[head.length + message.length];
        System.arraycopy(head, 0, request, 0, head.length);
        System.arraycopy(message, 0, request, head.length, message.length);
        return request;
    }

    /** Null if there is nothing to be read. */
    private byte @Nullable [] get(String path) throws IOException {
        exchange(ascii("GET " + path + "?offset=latest&max-messages=1" + headers + "\r\n"));
        long end = answer.nextOffset();
        return end <= 0
                ? null
                : ascii("GET " + path + "?max-messages=1&offset=" + (end - 1) + headers + "Talos-Stages: on\r\n\r\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private Socket open() throws IOException {
        Socket current = socket;
        if (current == null) {
            current = connect(endpoint.address(), endpoint.tls());
            socket = current;
        }
        return current;
    }

    private static Socket connect(InetSocketAddress address, @Nullable Tls tls) throws IOException {
        if (tls == null) {
            return prepared(new Socket(address.getHostString(), address.getPort()));
        }
        SSLSocket secure =
                (SSLSocket) tls.context().getSocketFactory().createSocket(address.getHostString(), address.getPort());
        try {
            if (tls.checksName()) {
                SSLParameters parameters = secure.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                secure.setSSLParameters(parameters);
            }
            prepared(secure);
            // Now, so that it is not a part of the first request.
            secure.startHandshake();
            return secure;
        } catch (IOException e) {
            secure.close();
            throw e;
        }
    }

    private static Socket prepared(Socket opened) throws IOException {
        opened.setTcpNoDelay(true);
        opened.setSoTimeout(TIMEOUT_MS);
        return opened;
    }

    private void exchange(byte[] request) throws IOException {
        Socket current = open();
        current.getOutputStream().write(request);
        answer.reset();
        boolean complete = false;
        while (!complete) {
            int read = current.getInputStream().read(buffer);
            if (read < 0) {
                throw new EOFException("the server closed the connection before it had answered");
            }
            complete = answer.take(received.clear().limit(read));
        }
        if (!answer.keepsAlive()) {
            disconnect();
        }
    }

    private void disconnect() {
        Socket current = socket;
        socket = null;
        if (current != null) {
            try {
                current.close();
            } catch (IOException e) {
                // It is not used any more; there is nothing to be lost.
            }
        }
    }

    /** A probe that does what the load of a plan does, on all of its partitions. */
    static StageProbe of(LoadPlan plan) {
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
