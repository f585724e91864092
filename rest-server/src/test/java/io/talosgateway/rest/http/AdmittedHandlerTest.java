package io.talosgateway.rest.http;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import com.google.common.util.concurrent.Uninterruptibles;
import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.admission.AdmissionConfig;
import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.admission.RefusalPacer;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.config.Dispatch;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.audit.AuditLog;
import io.talosgateway.rest.http.rest.ProblemErrorHandler;
import io.talosgateway.rest.message.BodyArrays;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.rest.peer.LogLines;
import io.talosgateway.rest.requestlog.RequestLogs;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.WheelTimer;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpChannel;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever a step of a request throws, on a real server: the request ends, and everything it held is given back. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AdmittedHandlerTest {

    /** What goes wrong, by the path of the request. */
    private enum Fault {
        NONE("200"),
        BATCH_IS_RECYCLED("200"),
        PREPARE_REFUSES("403"),
        PREPARE_THROWS("500"),
        PREPARE_THROWS_ERROR("500"),
        HANDLE_REFUSES("400"),
        HANDLE_THROWS("500"),
        HANDLE_THROWS_ERROR("500"),
        REFUSE_THROWS("500"),
        REFUSE_THROWS_ERROR("500"),
        FUTURE_FAILS("500"),
        FUTURE_FAILS_AND_REFUSE_THROWS("500"),
        FUTURE_FAILS_ON_ANOTHER_THREAD_AND_REFUSE_THROWS("500"),
        CALLBACK_THROWS("500"),
        CALLBACK_THROWS_ERROR_ON_ANOTHER_THREAD("500"),
        ANSWER_CANNOT_BE_BEGUN("500"),
        ANSWER_HAS_TOO_LARGE_HEADERS("500"),
        NO_ROOM("503"),
        /** Nothing goes wrong; it counts as a change. */
        CHANGES("200"),
        ROOM_TAKEN("200"),
        /** Nothing goes wrong; another thread answers when the handler has returned. */
        ANSWERED_LATER("200"),
        /** Nothing goes wrong, but it takes long. */
        WAITS("200");

        private final String status;

        Fault(String status) {
            this.status = status;
        }
    }

    /** How the body of the request comes. */
    private enum Body {
        NONE("Content-Length: 0\r\n\r\n"),
        OF_KNOWN_LENGTH("Content-Length: 5\r\n\r\nhello"),
        CHUNKED("Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");

        private final String text;

        Body(String text) {
            this.text = text;
        }
    }

    static Stream<Arguments> faults() {
        return Arrays.stream(Dispatch.values())
                .flatMap(dispatch -> Arrays.stream(Body.values())
                        .flatMap(body -> Arrays.stream(Fault.values())
                                .filter(fault -> fault != Fault.WAITS && fault != Fault.ANSWERED_LATER)
                                .map(fault -> Arguments.of(dispatch, body, fault))));
    }

    private volatile long addedNanos;
    /** For how long requests have waited for a thread when their handler is called. */
    private volatile long waitedNanos;

    private volatile long startedAtNanos;
    private final NanoClock clock = () -> System.nanoTime() + addedNanos;
    private final CollectorRegistry registry = new CollectorRegistry();
    private final WheelTimer timer = new WheelTimer("timer", clock).start();
    private final ExecutorService answers = Executors.newFixedThreadPool(2);
    private final ThreadPoolExecutor largeWork = new ThreadPoolExecutor(
            1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> new Thread(task, "large"));
    private volatile String handledBy;
    private final AdmissionController admission =
            new AdmissionController(new AdmissionConfig(DataSize.ofMiB(1), 4, 4, 100, 100), registry, clock);
    private final Queue<AuditLog.Entry> audited = new ConcurrentLinkedQueue<>();
    private final AtomicInteger auditedChanges = new AtomicInteger();
    /** As long as the array of a body of 3000 bytes. */
    private final byte[] elsewhere = new byte[3584];

    private volatile WeakReference<byte[]> lastBody = new WeakReference<>(null);
    /** Its clock stands still. */
    private final RefusalPacer refusals = new RefusalPacer(registry, () -> 0);

    private final HttpConfig config = new HttpConfig(
            true,
            "127.0.0.1",
            0,
            8,
            100,
            100,
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            DataSize.ofKiB(1),
            Duration.ofSeconds(10),
            Set.of());
    private final BodyArrays bodies = new BodyArrays(1 << 20);
    private final AtomicInteger threadsInHandler = new AtomicInteger();
    private final CountDownLatch waits = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private final HttpServer server = new HttpServer("faulty", config, null, clock);

    private Handler handler(Dispatch dispatch) {
        return dispatch == Dispatch.BLOCKING ? new BlockingHandler(new FaultyHandler()) : new FaultyHandler();
    }

    private HttpParts parts() {
        return new HttpParts(
                config,
                MessageLimits.DEFAULT,
                bodies,
                admission,
                refusals,
                timer,
                answers,
                largeWork,
                clock,
                InstantSource.system(),
                new RequestMetrics(new CollectorRegistry()),
                new UnexpectedFailures(timer, answers, clock),
                (entry, changed) -> {
                    auditedChanges.addAndGet(changed ? 1 : 0);
                    audited.add(entry);
                },
                RequestLogs.NONE);
    }

    private class FaultyHandler extends AdmittedHandler {

        FaultyHandler() {
            super("faulty", parts());
        }

        @Override
        protected boolean accepts(Request request) {
            if (waitedNanos > 0) {
                addedNanos = waitedNanos;
            }
            return true;
        }

        @Override
        protected Work prepare(Exchange exchange) {
            startedAtNanos = exchange.startedAtNanos();
            return switch (fault(exchange)) {
                case PREPARE_REFUSES -> throw new GatewayException(ErrorCode.PERMISSION_DENIED, "no");
                case PREPARE_THROWS -> throw new IllegalStateException("a bug");
                case PREPARE_THROWS_ERROR -> throw new StackOverflowError();
                case CHANGES -> {
                    exchange.setRequestClass(RequestClass.ADMIN);
                    yield body -> exchange.answer(Answer.of(200, "text/plain", body));
                }
                default -> body -> handle(exchange, body);
            };
        }

        private void handle(Exchange exchange, ByteSlice body) {
            RuntimeException bug = new IllegalStateException("a bug");
            lastBody = new WeakReference<>(body.array());
            switch (fault(exchange)) {
                case PREPARE_REFUSES, PREPARE_THROWS, PREPARE_THROWS_ERROR, CHANGES ->
                    throw new AssertionError("not prepared");
                case NONE -> {
                    handledBy = Thread.currentThread().getName();
                    exchange.answer(Answer.of(200, "text/plain", body));
                }
                case BATCH_IS_RECYCLED -> {
                    exchange.recycled(batch(body)).recycle();
                    exchange.recycled(batch(new ByteSlice(elsewhere))).recycle();
                    exchange.answer(Answer.of(200, "text/plain", ByteSlice.EMPTY));
                }
                case HANDLE_REFUSES, REFUSE_THROWS, REFUSE_THROWS_ERROR ->
                    throw new GatewayException(ErrorCode.MALFORMED_REQUEST, "no");
                case HANDLE_THROWS -> throw bug;
                case HANDLE_THROWS_ERROR -> throw new StackOverflowError();
                case FUTURE_FAILS, FUTURE_FAILS_AND_REFUSE_THROWS ->
                    answer(exchange, CompletableFuture.failedFuture(bug), done -> {});
                case FUTURE_FAILS_ON_ANOTHER_THREAD_AND_REFUSE_THROWS ->
                    answer(
                            exchange,
                            CompletableFuture.supplyAsync(
                                    () -> {
                                        throw bug;
                                    },
                                    answers),
                            done -> {});
                case CALLBACK_THROWS ->
                    answer(exchange, CompletableFuture.completedFuture(1), done -> {
                        throw bug;
                    });
                case CALLBACK_THROWS_ERROR_ON_ANOTHER_THREAD ->
                    answer(exchange, CompletableFuture.supplyAsync(() -> 1, answers), done -> {
                        throw new StackOverflowError();
                    });
                case ANSWER_CANNOT_BE_BEGUN ->
                    exchange.answer(Answer.of(200, "text/plain", body).withHeaders(Arrays.asList((HttpField) null)));
                case ANSWER_HAS_TOO_LARGE_HEADERS ->
                    exchange.answer(Answer.of(200, "text/plain", body)
                            .withHeaders(List.of(new HttpField("Large", "x".repeat(100_000)))));
                case NO_ROOM -> {
                    AdmissionController.Permit other = admission.admit(0);
                    try {
                        other.count(1);
                        exchange.reserveBytes(2 << 20);
                    } finally {
                        other.release();
                    }
                }
                case ANSWERED_LATER ->
                    answers.execute(() -> {
                        Await.asLongAs(() -> threadsInHandler.get() > 0);
                        exchange.answer(Answer.of(200, "text/plain", body));
                    });
                case WAITS -> {
                    waits.countDown();
                    Uninterruptibles.awaitUninterruptibly(goesOn);
                    exchange.answer(Answer.of(200, "text/plain", ByteSlice.EMPTY));
                }
                case ROOM_TAKEN -> {
                    exchange.reserveBytes(1 << 19);
                    exchange.answer(Answer.of(200, "text/plain", new ByteSlice(new byte[1 << 20])));
                }
            }
        }

        private static MessageBatch batch(ByteSlice bytes) {
            return new MessageBatch(List.of(new MessageBlock(1, 0, bytes, 1, ByteSlice.EMPTY)));
        }

        @Override
        protected void refuse(Exchange exchange, GatewayException reason) {
            switch (fault(exchange)) {
                case REFUSE_THROWS, FUTURE_FAILS_AND_REFUSE_THROWS, FUTURE_FAILS_ON_ANOTHER_THREAD_AND_REFUSE_THROWS ->
                    throw new IllegalStateException("another bug");
                case REFUSE_THROWS_ERROR -> throw new StackOverflowError();
                default ->
                    exchange.answer(Answer.of(reason.code().httpStatus(), "text/plain", ByteSlice.utf8(reason.detail()))
                            .withOutcome(reason.code().text()));
            }
        }

        private static Fault fault(Exchange exchange) {
            return Fault.valueOf(exchange.request().getHttpURI().getPath().substring(1));
        }
    }

    @AfterEach
    void stop() throws IOException {
        goesOn.countDown();
        server.stop();
        timer.close();
        largeWork.shutdownNow();
        answers.shutdownNow();
    }

    private String send(Fault fault, Body body) throws IOException {
        return send(fault, body.text);
    }

    private String send(Fault fault, String body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(120_000);
            String request = "POST /" + fault + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + body;
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void whateverFailsEverythingIsGivenBack(Dispatch dispatch, Body body, Fault fault) throws Exception {
        server.start(counted(handler(dispatch)), new ProblemErrorHandler());

        // More often than there are slots, so that a slot that is kept is missed.
        for (int request = 0; request < 6; request++) {
            assertThat(send(fault, body)).startsWith("HTTP/1.1 " + fault.status);
            // The client has its answer before the exchange is complete.
            Await.asLongAs(() -> admission.requestsInFlight() > 0 || bytesInFlight() > 0 || threadsInHandler.get() > 0);
        }

        assertThat(send(Fault.NONE, Body.OF_KNOWN_LENGTH))
                .startsWith("HTTP/1.1 200")
                .endsWith("hello");
    }

    @Test
    void bodyIsReadWhereAStoredOneWas() throws Exception {
        server.start(counted(handler(Dispatch.ASYNCHRONOUS)), new ProblemErrorHandler());
        String body = "Content-Length: 3000\r\n\r\n" + "x".repeat(3000);

        assertThat(send(Fault.BATCH_IS_RECYCLED, body)).startsWith("HTTP/1.1 200");
        byte[] first = lastBody.get();
        assertThat(send(Fault.NONE, body)).endsWith("x".repeat(3000));

        assertThat(first).isNotNull().isSameAs(lastBody.get());
        // It was not recycled again, and what was elsewhere never was.
        assertThat(bodies.take(first.length)).isNotSameAs(first).isNotSameAs(elsewhere);
    }

    /** As the thread that serves connections would, if it decoded them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 60000\r\n\r\n",
                "Content-Length: 60000\r\nContent-Encoding: gzip\r\n\r\n",
                "Content-Length: 5\r\nContent-Encoding: gzip\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
            })
    void bodyThatTakesLongHoldsUpNobodyElse(String body) throws Exception {
        server.start(new FaultyHandler(), new ProblemErrorHandler());
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            String request = "POST /WAITS HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + body;
            slow.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            if (body.startsWith("Content-Length: ")) {
                slow.getOutputStream().write(new byte[body.contains("60000") ? 60_000 : 5]);
            }
            waits.await();

            // As many as find each selector.
            for (int other = 0; other < 2 * Runtime.getRuntime().availableProcessors(); other++) {
                assertThat(send(Fault.NONE, Body.OF_KNOWN_LENGTH)).startsWith("HTTP/1.1 200");
            }
            goesOn.countDown();
            assertThat(new String(slow.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200");
        }
    }

    /** Also if each request holds a thread of the server until it is answered: none may be left. */
    @ParameterizedTest
    @EnumSource(Dispatch.class)
    void largeBodyIsHandledByAThreadForLargeWork(Dispatch dispatch) throws Exception {
        server.start(handler(dispatch), new ProblemErrorHandler());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(120_000);
            String head = "POST /NONE HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write(new byte[60_000]);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(handledBy).isEqualTo("large");
    }

    @Test
    void requestStartsBeforeItWaitsForAThread() throws Exception {
        server.start(new FaultyHandler(), new ProblemErrorHandler());
        long sentAtNanos = clock.nanoTime();
        waitedNanos = TimeUnit.HOURS.toNanos(1);

        assertThat(send(Fault.NONE, Body.NONE)).startsWith("HTTP/1.1 200");

        assertThat(startedAtNanos - sentAtNanos).isBetween(0L, waitedNanos);
    }

    @Test
    void requestWithoutABodyIsNotLarge() throws Exception {
        server.start(new FaultyHandler(), new ProblemErrorHandler());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(120_000);
            socket.getOutputStream()
                    .write("GET /NONE HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(handledBy).isNotNull().isNotEqualTo("large");
    }

    /** The body is there, and waits for its turn for longer than a client may take. */
    @Test
    void clientIsNotBlamedForWhatThisHostTakes() throws Exception {
        CountDownLatch turn = new CountDownLatch(1);
        largeWork.execute(() -> Uninterruptibles.awaitUninterruptibly(turn));
        server.start(new FaultyHandler(), new ProblemErrorHandler());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(120_000);
            String head = "POST /NONE HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 60000\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write(new byte[60_000]);
            Await.asLongAs(() -> largeWork.getQueue().isEmpty());
            CountDownLatch late = new CountDownLatch(1);
            io.talosgateway.scheduler.Timeout later = new io.talosgateway.scheduler.Timeout() {
                @Override
                protected void deadlinePassed() {
                    late.countDown();
                }
            };
            addedNanos = Duration.ofSeconds(41).toNanos();
            timer.schedule(later, Deadline.after(clock, Duration.ofMillis(100)));
            late.await();
            answers.submit(() -> {}).get();
            turn.countDown();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200");
        } finally {
            turn.countDown();
        }
    }

    @Test
    void answerThatRefusesWaitsIfMuchIsRefusedAndHoldsNothingMeanwhile() throws Exception {
        server.start(new FaultyHandler(), new ProblemErrorHandler());
        for (int time = 0; time < 1_000; time++) {
            refusals.waitNanos("127.0.0.1", 0);
        }
        refusals.waitNanos("127.0.0.1", Duration.ofMillis(40).toNanos());
        long startedAtNanos = System.nanoTime();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(120_000);
            String head = "POST /PREPARE_REFUSES HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            Await.asLongAs(() -> delayed() < 2);
            Await.asLongAs(() -> admission.requestsInFlight() > 0);
            // Whoever waits for the last request closes the log.
            assertThat(audited).hasSize(1);
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 403");
        }
        assertThat(audited).hasSize(1);
        assertThat(System.nanoTime() - startedAtNanos)
                .isGreaterThan(Duration.ofMillis(400).toNanos());
    }

    /** There may be many, and what they have sent counts no more. */
    @Test
    void answerThatWaitsHoldsNoBody() throws Exception {
        server.start(new FaultyHandler(), new ProblemErrorHandler());
        refusals.waitNanos("127.0.0.1", Duration.ofMinutes(1).toNanos());
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(120_000);
            String request = "POST /HANDLE_REFUSES HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
            socket.getOutputStream().write((request + Body.CHUNKED.text).getBytes(StandardCharsets.ISO_8859_1));
            Await.asLongAs(() -> delayed() < 1 || admission.requestsInFlight() > 0);
            Await.asLongAs(() -> {
                System.gc();
                return lastBody.get() != null;
            });
            assertThat(socket.getInputStream().available()).as("it waits still").isZero();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 400");
        }
    }

    /** A stranger could fill the audit log with changes that nobody has made. */
    @Test
    void clientThatGoesBeforeItHasAskedForAChangeHasChangedNothing() throws Exception {
        server.start(new FaultyHandler(), new ProblemErrorHandler());
        String head = "POST /CHANGES HTTP/1.1\r\nHost: x\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write((head + "Content-Length: 10\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            Await.asLongAs(() -> admission.requestsInFlight() == 0);
            socket.setSoLinger(true, 0);
        }
        Await.asLongAs(audited::isEmpty);
        assertThat(auditedChanges).hasValue(0);

        assertThat(send(Fault.CHANGES, Body.OF_KNOWN_LENGTH)).startsWith("HTTP/1.1 200");
        Await.asLongAs(() -> audited.size() < 2);
        assertThat(auditedChanges).hasValue(1);
    }

    /** Each such request takes a connection of its own. */
    @Test
    void answerToWhatIsNotHttpWaitsToo() throws Exception {
        HttpParts parts = parts();
        server.start(new FaultyHandler(), new PacedErrors(new ProblemErrorHandler(), parts));
        String request =
                "POST /NONE HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        assertThat(answerTo(request)).startsWith("HTTP/1.1 400").contains("malformed-request");
        assertThat(delayed()).isZero();
        // Free for one client: two seconds.
        refusals.waitNanos("127.0.0.1", Duration.ofMillis(120).toNanos());

        long startedAtNanos = System.nanoTime();
        assertThat(answerTo(request)).startsWith("HTTP/1.1 400").contains("malformed-request");

        assertThat(delayed()).isEqualTo(2);
        assertThat(System.nanoTime() - startedAtNanos)
                .isGreaterThan(Duration.ofMillis(400).toNanos());
    }

    @Test
    void nobodyWaitsForAMistakeOfTheGateway() throws Exception {
        server.start(new FaultyHandler(), new PacedErrors(new ProblemErrorHandler(), parts()));
        refusals.waitNanos("127.0.0.1", Duration.ofMillis(120).toNanos());

        assertThat(send(Fault.ANSWER_CANNOT_BE_BEGUN, Body.OF_KNOWN_LENGTH)).startsWith("HTTP/1.1 500");

        assertThat(delayed()).isEqualTo(1);
    }

    /** Jetty fails the write from the thread that sees the connection end, while another one begins to send. */
    @Test
    void clientThatGoesInTheMomentItIsAnsweredIsSentNoErrorAndLeavesNothingInTheLog() throws Exception {
        AtomicInteger errors = new AtomicInteger();
        Request.Handler errorHandler = (request, response, callback) -> {
            errors.incrementAndGet();
            return new ProblemErrorHandler().handle(request, response, callback);
        };
        server.start(failsAtSend(counted(new FaultyHandler())), errorHandler);
        try (LogLines log = new LogLines("io.talosgateway.rest", "org.eclipse.jetty")) {
            for (int request = 0; request < 6; request++) {
                assertThat(send(Fault.NONE, Body.OF_KNOWN_LENGTH)).doesNotContain("HTTP/1.1 500");
                Await.asLongAs(
                        () -> admission.requestsInFlight() > 0 || bytesInFlight() > 0 || threadsInHandler.get() > 0);
            }
            assertThat(log.withStackTrace()).isEmpty();
            assertThat(log.texts()).isEmpty();
        }
        assertThat(errors).hasValue(0);
    }

    /** Jetty would have the thread that writes run callbacks of the connection's next request, which may be completed before. */
    @Test
    void requestThatIsAnsweredLaterEndsAfterTheWriteAndNotWithinIt() throws Exception {
        Queue<String> ends = new ConcurrentLinkedQueue<>();
        server.start(
                withStream(counted(new FaultyHandler()), (stream, channel) -> new HttpStream.Wrapper(stream) {
                    private volatile boolean writing;

                    @Override
                    public void send(
                            MetaData.Request sentTo,
                            MetaData.Response answer,
                            boolean last,
                            ByteBuffer content,
                            Callback sent) {
                        writing = true;
                        super.send(sentTo, answer, last, content, sent);
                        writing = false;
                    }

                    @Override
                    public void succeeded() {
                        ends.add(writing ? "within" : "after");
                        super.succeeded();
                    }
                }),
                new ProblemErrorHandler());
        for (int request = 0; request < 6; request++) {
            assertThat(send(Fault.ANSWERED_LATER, Body.OF_KNOWN_LENGTH)).startsWith("HTTP/1.1 200");
        }
        // The client may read the last answer before.
        Await.asLongAs(() -> ends.size() < 6);
        assertThat(ends).containsOnly("after");
    }

    /** The memory of a small one is that of its request. */
    @ParameterizedTest
    @CsvSource({"1024, 0", "1025, 1025"})
    void largeAnswerCountsAsMemoryWhileItIsSent(int answerBytes, double countedBytes) throws Exception {
        Queue<Double> counted = new ConcurrentLinkedQueue<>();
        Handler handler = new FaultyHandler() {
            @Override
            protected Work prepare(Exchange exchange) {
                return body -> exchange.answer(Answer.of(200, "text/plain", new ByteSlice(new byte[answerBytes])));
            }
        };
        server.start(beforeSends(handler, channel -> () -> counted.add(bytesInFlight())), new ProblemErrorHandler());

        assertThat(send(Fault.NONE, Body.NONE)).startsWith("HTTP/1.1 200");

        assertThat(counted).isNotEmpty().containsOnly(countedBytes);
        Await.asLongAs(() -> bytesInFlight() > 0);
    }

    private static Handler failsAtSend(Handler handler) {
        return beforeSends(handler, channel -> {
            AtomicBoolean gone = new AtomicBoolean();
            return () -> {
                if (gone.compareAndSet(false, true)) {
                    channel.onFailure(new EofException("the client went")).run();
                }
            };
        });
    }

    /** @param step makes what is run before each write of a request */
    private static Handler beforeSends(Handler handler, Function<HttpChannel, Runnable> step) {
        return withStream(handler, (stream, channel) -> new HttpStream.Wrapper(stream) {
            private final Runnable before = step.apply(channel);

            @Override
            public void send(
                    MetaData.Request sentTo,
                    MetaData.Response answer,
                    boolean last,
                    ByteBuffer content,
                    Callback sent) {
                before.run();
                super.send(sentTo, answer, last, content, sent);
            }
        });
    }

    private static Handler withStream(Handler handler, BiFunction<HttpStream, HttpChannel, HttpStream> wrapper) {
        return new Handler.Wrapper(handler) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                HttpChannel channel = ((HttpConnection) request.getConnectionMetaData()).getHttpChannel();
                request.addHttpStreamWrapper(stream -> wrapper.apply(stream, channel));
                return super.handle(request, response, callback);
            }
        };
    }

    private String answerTo(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(120_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private double delayed() {
        return registry.getSampleValue("talos_refusals_delayed_total");
    }

    private double bytesInFlight() {
        return registry.getSampleValue("talos_bytes_in_flight");
    }

    /** Counts the threads that are inside. */
    private Handler counted(Handler handler) {
        return new Handler.Wrapper(handler) {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                threadsInHandler.incrementAndGet();
                try {
                    return super.handle(request, response, callback);
                } finally {
                    threadsInHandler.decrementAndGet();
                }
            }
        };
    }
}
