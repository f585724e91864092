package io.talosgateway.rest.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicLong;

import org.eclipse.jetty.io.AbstractConnection;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.AbstractConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.BufferUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** With a protocol of one byte for a request and one for an answer, whose server reads for as long as it finds something. */
final class FairConnectorTest {

    private static final long WAIT_NANOS = 1_000;

    private final Server server = new Server();
    private final AtomicLong nowNanos = new AtomicLong();
    private final FairConnector connector = new FairConnector(server, 1, nowNanos::get, new Greedy());
    /** When the connection says that its request arrived, after each look into the socket. */
    private final List<Long> arrivedAtNanos = new CopyOnWriteArrayList<>();
    /** What each look into the socket found. */
    private final List<Integer> filled = new CopyOnWriteArrayList<>();
    /** The server has answered, and waits until the client has sent its next request. */
    private final SynchronousQueue<String> answered = new SynchronousQueue<>();

    private final SynchronousQueue<String> sent = new SynchronousQueue<>();

    private final class Greedy extends AbstractConnectionFactory {

        Greedy() {
            super("greedy");
        }

        @Override
        public Connection newConnection(Connector of, EndPoint endPoint) {
            return new AbstractConnection(endPoint, of.getExecutor()) {
                @Override
                public void onOpen() {
                    super.onOpen();
                    fillInterested();
                }

                @Override
                public void onFillable() {
                    // Between the selector and this thread.
                    nowNanos.addAndGet(WAIT_NANOS);
                    try {
                        while (serve(getEndPoint())) {
                            answered.put("answered");
                            sent.take();
                        }
                        fillInterested();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            };
        }

        private boolean serve(EndPoint endPoint) throws IOException {
            ByteBuffer request = BufferUtil.allocate(1);
            filled.add(endPoint.fill(request));
            arrivedAtNanos.add(FairConnector.arrivedAtNanos(endPoint, nowNanos::get));
            return request.hasRemaining() && endPoint.flush(request);
        }
    }

    @BeforeEach
    void start() throws Exception {
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void connectionThatWasAnsweredWaitsForTheSelectorEvenIfItsNextRequestIsThere() throws Exception {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
            client.setTcpNoDelay(true);
            for (int request = 1; request <= 3; request++) {
                client.getOutputStream().write(request);
                if (request > 1) {
                    sent.put("sent");
                }
                answered.take();
                assertThat(client.getInputStream().read()).isEqualTo(request);
            }
            assertThat(filled).containsExactly(1, 0, 1, 0, 1);
            assertThat(arrivedAtNanos)
                    .as("before its thread ran for a request that was selected; the present after an answer")
                    .containsExactly(0L, WAIT_NANOS, WAIT_NANOS, 2 * WAIT_NANOS, 2 * WAIT_NANOS);
            sent.put("nothing");
        }
    }
}
