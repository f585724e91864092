package io.talosgateway.rest.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.SelectionKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.rest.tls.TlsProvider;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What the thread of the only selector serves itself, and what it leaves to others. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ServedBySelectorTest {

    private static final int THREADS = 8;

    private final HttpThreads threads = new HttpThreads("test", THREADS);
    private final Server server = new Server(threads);
    /** Somebody waits at the gate. */
    private final CountDownLatch waiting = new CountDownLatch(1);

    private final CountDownLatch gate = new CountDownLatch(1);
    /** Requests that wait until the test has them answered. */
    private final BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();

    @AfterEach
    void stop() throws Exception {
        gate.countDown();
        server.stop();
    }

    private FairConnector start(InvocationType type, ConnectionFactory... connections) throws Exception {
        FairConnector connector = new FairConnector(server, 1, System::nanoTime, connections);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract(type) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws InterruptedException {
                Runnable answer = () -> response.write(true, null, callback);
                switch (Request.getPathInContext(request)) {
                    case "/later" -> new Thread(answer).start();
                    case "/held" -> held.add(answer);
                    case "/wait" -> {
                        waitAtGate();
                        answer.run();
                    }
                    default -> answer.run();
                }
                return true;
            }
        });
        server.setDynamic(false);
        return connector;
    }

    private void waitAtGate() throws InterruptedException {
        waiting.countDown();
        gate.await();
    }

    private static Socket connect(FairConnector connector) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
        // Or a second request may wait for the answer of the first.
        client.setTcpNoDelay(true);
        return client;
    }

    /** Jetty has another thread than the selector's set up a connection, and answer its first request. */
    private static Socket connectAndAsk(FairConnector connector) throws IOException {
        Socket client = connect(connector);
        assertAnswers(client);
        return client;
    }

    private static void ask(Socket client, String path) throws IOException {
        client.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static void assertAnswers(Socket client) throws IOException {
        ask(client, "/");
        assertAnswered(client);
    }

    private static void assertAnswered(Socket client) throws IOException {
        assertAnswered(new RawAnswers(client.getInputStream()));
    }

    private static void assertAnswered(RawAnswers answers) throws IOException {
        assertThat(answers.next(false).status()).isEqualTo(200);
    }

    @Test
    void requestOfHandlerThatDoesNotBlockNeedsNoOtherThread() throws Exception {
        // They would take a request before the queue does.
        threads.setReservedThreads(0);
        FairConnector connector = start(InvocationType.NON_BLOCKING, new HttpConnectionFactory());
        server.start();
        try (Socket client = connectAndAsk(connector)) {
            occupyThreads();
            assertAnswers(client);
            ask(client, "/later");
            assertAnswered(client);
            assertAnswers(client);
        }
    }

    private void occupyThreads() {
        for (int thread = 0; thread < THREADS; thread++) {
            threads.execute(() -> {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    /** The selector is not asked again and again, for each request: that takes two calls of the system. */
    @Test
    void connectionIsWatchedWhileItsRequestIsServed() throws Exception {
        FairConnector connector = start(InvocationType.NON_BLOCKING, new HttpConnectionFactory());
        server.start();
        try (Socket client = connectAndAsk(connector);
                Socket other = connectAndAsk(connector)) {
            EndPoint endPoint = endPointOf(client, connector);
            ask(client, "/held");
            Runnable answer = held.take();
            letSelectorLook(other);
            assertThat(interests(endPoint)).isEqualTo(SelectionKey.OP_READ);
            answer.run();
            assertAnswered(client);
            assertAnswers(client);
        }
    }

    @Test
    void connectionThatHasMoreThanItMayReadNowIsNotWatchedUntilItMay() throws Exception {
        FairConnector connector = start(InvocationType.NON_BLOCKING, new HttpConnectionFactory());
        server.start();
        try (Socket client = connectAndAsk(connector);
                Socket other = connectAndAsk(connector)) {
            EndPoint endPoint = endPointOf(client, connector);
            RawAnswers answers = new RawAnswers(client.getInputStream());
            for (int round = 0; round < 3; round++) {
                ask(client, "/held");
                Runnable answer = held.take();
                ask(client, "/");
                letSelectorLook(other);
                assertThat(interests(endPoint))
                        .as("or the selector finds the same bytes again and again")
                        .isZero();
                answer.run();
                assertAnswered(answers);
                assertAnswered(answers);
            }
        }
    }

    private static EndPoint endPointOf(Socket client, FairConnector connector) {
        return connector.getConnectedEndPoints().stream()
                .filter(endPoint -> endPoint.getRemoteSocketAddress().equals(client.getLocalSocketAddress()))
                .findAny()
                .orElseThrow();
    }

    /** When it serves the second request of another connection, it has done all that followed from what it found before. */
    private static void letSelectorLook(Socket other) throws IOException {
        assertAnswers(other);
        assertAnswers(other);
    }

    /** What the selector looks for at a connection, as Jetty says it. */
    private static int interests(EndPoint endPoint) {
        Matcher interests = Pattern.compile("kio=(-?\\d+)").matcher(endPoint.toString());
        assertThat(interests.find()).as("%s", endPoint).isTrue();
        return Integer.parseInt(interests.group(1));
    }

    @Test
    void requestOfHandlerThatBlocksDoesNotHoldUpOthers() throws Exception {
        FairConnector connector = start(InvocationType.BLOCKING, new HttpConnectionFactory());
        server.start();
        try (Socket slow = connect(connector);
                Socket quick = connect(connector)) {
            assertAnswers(quick);
            ask(slow, "/wait");
            waiting.await();
            assertAnswers(quick);
        }
    }

    @Test
    void handshakeDoesNotHoldUpConnectionsThatAreOpen(@TempDir Path directory) throws Exception {
        TestCertificates authority = new TestCertificates(directory, "authority");
        PemFiles files = authority.issue("server", "EC").write(directory.resolve("c.pem"), directory.resolve("k.pem"));
        List<byte[]> contents = List.of(Files.readAllBytes(files.certificate()), Files.readAllBytes(files.key()));
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSslContext(files.parse(contents).context(TlsProvider.JDK, null));
        FairConnector connector = start(
                InvocationType.NON_BLOCKING, new SslConnectionFactory(tls, "http/1.1"), new HttpConnectionFactory());
        AtomicBoolean first = new AtomicBoolean(true);
        connector.addBean(new SslHandshakeListener() {
            @Override
            public void handshakeSucceeded(Event event) {
                try {
                    if (!first.compareAndSet(true, false)) {
                        waitAtGate();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        server.start();
        SSLContext trusting = authority.trusting();
        try (Socket open = trusting.getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), connector.getLocalPort());
                Socket slow = trusting.getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
            assertAnswers(open);
            ask(slow, "/");
            waiting.await();
            assertAnswers(open);
        }
    }
}
