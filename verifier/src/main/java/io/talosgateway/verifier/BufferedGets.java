package io.talosgateway.verifier;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.talosgateway.loadgen.http.HttpAnswer;

/**
 * Gets that are sent to a gateway while it is paused, one on each of many connections that were opened before. The operating system keeps
 * them, and the gateway answers them when it goes on: long after its session has ended, and before it can have
 * noticed. They ask at the end where it was when the gateway was paused, at the end that was acknowledged since, and for the end, of the
 * partitions that the gateway owned: it hands the others on.
 */
final class BufferedGets implements Faults.DuringPause {

    static final int GETS = 1_000;

    private static final int FORMS = 4;
    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final int TIMEOUT_MS = 30_000;
    private static final int BUFFER_BYTES = 64 << 10;

    private final VerifyContext context;
    private final int gateway;
    private final List<Integer> partitions;
    private final List<Bounds.Known> whenOpened;
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();

    private record Sent(
            Socket socket, int partition, From from, boolean ofStatus, Bounds.Known known, long startNanos) {}

    BufferedGets(VerifyContext context, int gateway) {
        this.context = context;
        this.gateway = gateway;
        partitions = owned();
        whenOpened = partitions.stream().map(context.books().bounds::known).toList();
        InetSocketAddress address =
                context.cluster().gateways().get(gateway).endpoint().address();
        try {
            while (sockets.size() < GETS) {
                Socket socket = new Socket();
                sockets.add(socket);
                socket.connect(address, TIMEOUT_MS);
            }
        } catch (IOException e) {
            // As many as it takes.
        }
    }

    /** The partitions that the gateway owns; all if it says that it owns none. */
    private List<Integer> owned() {
        String name = context.cluster().gateways().get(gateway).endpoint().uri().getAuthority();
        List<Integer> all =
                IntStream.range(0, context.plan().partitions).boxed().toList();
        try (Calls calls = new Calls(context)) {
            List<Integer> owned = all.stream()
                    .filter(partition -> name.equals(calls.owner(partition, gateway)))
                    .toList();
            return owned.isEmpty() ? all : owned;
        }
    }

    @Override
    public void send() {
        for (int number = 0; number < sockets.size(); number++) {
            int index = number / FORMS % partitions.size();
            int partition = partitions.get(index);
            Bounds.Known known = context.books().bounds.known(partition);
            From from = switch (number % FORMS) {
                case 0 -> new From(whenOpened.get(index).end());
                case 1 -> new From(known.end());
                default -> From.LATEST;
            };
            boolean ofStatus = number % FORMS == FORMS - 1;
            String path = context.names().path(partition);
            byte[] request = Calls.getRequest(
                    context.cluster().headers(gateway),
                    ofStatus ? path : Calls.messages(path, from, Duration.ZERO),
                    TIMEOUT_MS);
            Sent get = new Sent(sockets.get(number), partition, from, ofStatus, known, context.nowNanos());
            try {
                get.socket.getOutputStream().write(request);
                sent.add(get);
            } catch (IOException e) {
                // The gateway had closed it.
            }
        }
    }

    @Override
    public void receive() {
        long untilNanos = context.nowNanos() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        HttpAnswer http = HttpAnswer.keepingBodies(MAX_BODY_BYTES);
        byte[] buffer = new byte[BUFFER_BYTES];
        for (Sent one : sent) {
            try {
                receive(one.socket, http, buffer, untilNanos);
            } catch (IOException e) {
                continue;
            }
            GetAnswer answer = GetAnswer.of(http.status(), http.body(), one.ofStatus);
            Get get = new Get(one.partition, one.from, gateway, one.startNanos, context.nowNanos(), TIMEOUT_MS, answer);
            context.books().bounds.told(get, one.known);
            context.books().gotBuffered(get);
        }
    }

    private void receive(Socket socket, HttpAnswer http, byte[] buffer, long untilNanos) throws IOException {
        http.reset();
        boolean complete = false;
        while (!complete) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(untilNanos - context.nowNanos());
            if (leftMs <= 0) {
                throw new ConnectException("no answer");
            }
            socket.setSoTimeout((int) leftMs);
            int read = socket.getInputStream().read(buffer);
            complete = read < 0 ? http.takeEnd() : http.take(ByteBuffer.wrap(buffer, 0, read));
            if (read < 0 && !complete) {
                throw new ConnectException("closed");
            }
        }
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is not used any more; there is nothing to be lost.
            }
        }
    }
}
