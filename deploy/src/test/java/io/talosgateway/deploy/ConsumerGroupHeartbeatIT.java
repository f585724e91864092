package io.talosgateway.deploy;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.talosgateway.client.NewTopic;
import io.talosgateway.thrift.ConsumeUnit;
import io.talosgateway.thrift.RenewRequest;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.ConsumerMethods;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.auth.RequestSigner;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Renewals of workers at a fixed rate, on kept connections. Prints how long they took, from when each was due. {@code
 * -Dheartbeats.rate=10000}: renewals a second; {@code -Dheartbeats.seconds=20}; {@code -Dheartbeats.rounds=3}.
 */
@Tag("by-hand")
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class ConsumerGroupHeartbeatIT extends StorageContract {

    private static final int RATE = Integer.getInteger("heartbeats.rate", 10_000);
    private static final int SECONDS = Integer.getInteger("heartbeats.seconds", 20);
    private static final int ROUNDS = Integer.getInteger("heartbeats.rounds", 3);
    private static final int CONNECTIONS = 64;
    /** Of each connection, by turns. */
    private static final int WORKERS = 16;

    private static final int PARTITIONS_HELD = 4;

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }

    private byte[] renewal(String topic, String group, String worker) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        List<Integer> held = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS_HELD; partition++) {
            held.add(partition);
        }
        ConsumerMethods.RENEW.writeCall(
                ThriftFormat.COMPACT.writing(buffer),
                1,
                new RenewRequest(new ConsumeUnit(group, new TopicTalosResourceName(topic), held, worker)));
        byte[] body = Arrays.copyOf(buffer.getArray(), buffer.length());
        String path = ThriftService.CONSUMER.path();
        String type = ThriftFormat.COMPACT.contentType();
        Map<String, String> headers = new RequestSigner(
                        gateway().key().id(), gateway().key().secret(), InstantSource.system())
                .headers(path, type, GalaxySignature.md5(new ByteSlice(body)));
        StringBuilder head = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: " + type
                + "\r\nContent-Length: " + body.length + "\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        request.write(body);
        return request.toByteArray();
    }

    /** Reads an answer that has a length; true if it is 200. */
    private static boolean readAnswer(InputStream in) throws IOException {
        int length = 0;
        boolean good = false;
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            good |= line.startsWith("HTTP/1.1 200");
            if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).trim());
            }
        }
        in.readNBytes(length);
        return good;
    }

    private static String readLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = in.read(); read != '\n'; read = in.read()) {
            if (read < 0) {
                throw new IOException("the connection has ended");
            }
            if (read != '\r') {
                line.append((char) read);
            }
        }
        return line.toString();
    }

    /** Sends on one connection; the time of each, from when it was due, in nanoseconds. */
    private long[] send(List<byte[]> requests, long beginNanos) throws IOException {
        long everyNanos = TimeUnit.SECONDS.toNanos(1) * CONNECTIONS / RATE;
        int count = (int) (TimeUnit.SECONDS.toNanos(SECONDS) / everyNanos);
        long[] took = new long[count];
        URI endpoint = URI.create(gateway().endpoint());
        try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort())) {
            socket.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int number = 0; number < count; number++) {
                long dueNanos = beginNanos + number * everyNanos;
                for (long wait = dueNanos - System.nanoTime(); wait > 0; wait = dueNanos - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                socket.getOutputStream().write(requests.get(number % requests.size()));
                assertThat(readAnswer(in)).isTrue();
                took[number] = System.nanoTime() - dueNanos;
            }
        }
        return took;
    }

    @Test
    void manyWorkersRenew() throws Exception {
        // With the compilers that users have, which gateways of tests have not.
        gateway().kill();
        assertThat(gateway().tryStart("-Xmx512m")).isTrue();
        String topic = gateway()
                .client()
                .build()
                .createTopic(new NewTopic("t", 8))
                .get()
                .resourceName();
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            for (int round = 0; round <= ROUNDS; round++) {
                List<Callable<long[]>> connections = new ArrayList<>();
                long beginNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
                for (int connection = 0; connection < CONNECTIONS; connection++) {
                    List<byte[]> requests = new ArrayList<>();
                    for (int worker = 0; worker < WORKERS; worker++) {
                        requests.add(renewal(topic, "group-" + connection + "-" + worker, "worker"));
                    }
                    connections.add(() -> send(requests, beginNanos));
                }
                List<Long> all = new ArrayList<>();
                for (Future<long[]> took : threads.invokeAll(connections)) {
                    Arrays.stream(took.get()).forEach(all::add);
                }
                all.sort(null);
                System.out.printf(
                        "%s: %,d renewals a second of %,d workers, %d s: median %.1f ms, P99 %.1f ms, longest %.1f ms%n",
                        round == 0 ? "warm-up" : "round " + round,
                        RATE,
                        CONNECTIONS * WORKERS,
                        SECONDS,
                        all.get(all.size() / 2) / 1e6,
                        all.get(all.size() * 99 / 100) / 1e6,
                        all.get(all.size() - 1) / 1e6);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
