package io.talosgateway.rest.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.talosgateway.rest.admission.AdmissionController.Permit;
import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.auth.Authenticator.Caller;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.Fault;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.trace.RequestId;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.rest.trace.TraceParent;
import io.talosgateway.rest.trace.Tracing;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.format.BlockAround;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * One request and its one answer. Several may try to answer, such as a result and a deadline: the first does.
 *
 * <p>What was admitted is released in one place: when Jetty has completed the request, however it ended. So what handles a
 * request has nothing to give back, and has to see to one thing only, that the exchange is answered or failed.
 *
 * <p>Safe for use by any thread. Never blocks.
 */
public final class Exchange {

    private static final String STAGES_HEADER = "Talos-Stages";
    /** Jetty's limit is 8 KiB for all of the head. */
    private static final int MAX_HEADER_BYTES = 7 * 1024;

    /** What a thread that serves connections may decode or encode; more, or what is compressed, would hold up all others. */
    public static final int SMALL_BYTES = 32 * 1024;

    /** The outcome of a request whose client has not taken the answer. */
    static final String CLIENT_GONE = "client-gone";
    /** Under which the exchange is found at its request, for the access log. */
    private static final String ATTRIBUTE = Exchange.class.getName();

    /** An answer of no more is not counted as memory: the request itself takes more. */
    private static final int NOT_COUNTED_BYTES = 1024;

    private static final Caller GUEST = new Caller(Principal.GUEST, null, null);
    /** The type of most answers. */
    private static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json");

    private final String interfaceName;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final HttpParts parts;
    private final AnswerWriter writer;
    private final LargeSteps largeSteps;
    private final Tracing.@Nullable Received span;
    private final TraceContext context;
    private final long startedAtNanos;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile RequestClass requestClass = RequestClass.OTHER;
    private volatile @Nullable Permit permit;
    private volatile @Nullable RequestTrace trace;
    private volatile boolean tellsStages;
    private volatile @Nullable ByteSlice body;
    private Caller caller = GUEST;
    private volatile Runnable notMade = () -> {};
    private volatile String outcome = CLIENT_GONE;
    /** Also if the client did not take the answer. */
    private volatile String answeredOutcome = CLIENT_GONE;
    /** Before that, nothing can have changed. */
    private volatile boolean workBegun;

    private volatile @Nullable String operation;
    private volatile @Nullable String target;
    private volatile String address = "";
    private volatile @Nullable ClientWatch watch;
    private volatile @Nullable CompletableFuture<Void> gone;
    /** Bytes of the answer for which there is room already. */
    private volatile long reservedForAnswer;
    /** Taken by {@link #reserveBytes}, and not given back. */
    private final AtomicLong reserved = new AtomicLong();
    /** For messages, at most. */
    private volatile long waitsNanos;
    /** Before the answer may be written. */
    private volatile long waitNanos;

    Exchange(String interfaceName, Request request, Response response, Callback callback, HttpParts parts) {
        this.interfaceName = interfaceName;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.parts = parts;
        this.writer = new AnswerWriter(request, response, parts, this::countBytes);
        this.largeSteps = new LargeSteps(parts.largeWork(), parts.clock());
        this.startedAtNanos = FairConnector.arrivedAtNanos(
                request.getConnectionMetaData().getConnection().getEndPoint(), parts.clock());
        TraceContext received = context(request.getHeaders());
        this.span = parts.logs().tracing().receive(received, startedAtNanos);
        this.context = span == null ? received : span.context();
        if (parts.logs().notesAccess()) {
            request.setAttribute(ATTRIBUTE, this);
        }
    }

    private static TraceContext context(HttpFields headers) {
        String requestId = headers.get(RequestId.HEADER);
        return headers.contains(TraceParent.HEADER)
                ? TraceContext.of(
                        requestId,
                        headers.getValuesList(TraceParent.HEADER),
                        headers.getValuesList(TraceContext.STATE_HEADER))
                : new TraceContext(RequestId.of(requestId), null, null);
    }

    /** The exchange of a request that has ended; null if no handler has seen it, or if nobody notes access. */
    static @Nullable Exchange of(Request request) {
        return (Exchange) request.getAttribute(ATTRIBUTE);
    }

    /** What names this request in all logs, and in the answer. */
    public String requestId() {
        return context.requestId();
    }

    /** Names this request to other hosts; notes nothing of its way. */
    public RequestTrace named() {
        return RequestTrace.named(context);
    }

    public Request request() {
        return request;
    }

    /** The first value of a request header, or null. */
    public @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }

    /** When the end of the request's headers arrived, on the gateway's clock: before a thread was found for it. */
    public long startedAtNanos() {
        return startedAtNanos;
    }

    /**
     * What a step gives.
     *
     * @param small whether it is done at once, here; else another thread does it, and none that serves connections
     */
    public <T> CompletableFuture<T> work(boolean small, Supplier<T> step) {
        return CompletableFuture.supplyAsync(step, executor(small));
    }

    /** Runs a step that is small here, and any other on a thread that serves no connections; for one step at a time. */
    Executor executor(boolean small) {
        return small ? Runnable::run : largeSteps;
    }

    /** When it is answered at the latest, unless it waits for messages or its client says less. */
    public Deadline deadline() {
        return Deadline.at(startedAtNanos + parts.config().requestTimeout().toNanos());
    }

    /**
     * What goes with a put or get on its way. It notes the stages if the client asks ({@code Talos-Stages: on}); then the answer
     * says them. To be called once it is permitted.
     *
     * @throws GatewayException {@code MALFORMED_REQUEST} if the header is anything else
     */
    public RequestTrace trace() {
        String header = header(STAGES_HEADER);
        if (header != null && !header.equals("on")) {
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST,
                    "The header " + STAGES_HEADER + " must be 'on', not '" + header + "'.");
        }
        tellsStages = header != null;
        Stages stages = parts.logs().stages(tellsStages, span, parts.clock(), startedAtNanos);
        RequestTrace made = new RequestTrace(context, stages, span);
        trace = made;
        return made;
    }

    public RequestClass requestClass() {
        return requestClass;
    }

    public void setRequestClass(RequestClass newClass) {
        requestClass = newClass;
    }

    /** For the audit log: which operation this is. */
    public void setOperation(String newOperation) {
        operation = newOperation;
    }

    /** For the audit log: the topic that this is about, if the path does not say so. */
    public void about(String topic) {
        target = topic;
    }

    /** @param newAddress of the client */
    void hold(Permit newPermit, String newAddress) {
        permit = newPermit;
        address = newAddress;
    }

    /**
     * Finds out who asks, from the headers and the client's certificate, and has the request count for the key.
     *
     * @throws GatewayException {@code UNAUTHENTICATED} or {@code CLOCK_SKEWED}; {@code THROTTLED} if the key has too much under
     *     way
     */
    public Principal identify(Authenticator authenticator) {
        JettySignedRequest asked = new JettySignedRequest(request);
        caller = authenticator.identify(asked, asked.clientCertificate(), asked);
        String key = caller.keyId();
        Permit held = permit;
        if (key != null && held != null) {
            held.countFor(key);
        }
        return caller.principal();
    }

    /**
     * Finds out again who asks, a while after {@link #identify}: keys are revoked and expire, and signatures get too old.
     *
     * @throws GatewayException as there
     */
    public Principal identifyAgain(Authenticator authenticator) {
        JettySignedRequest asked = new JettySignedRequest(request);
        return authenticator.identify(asked, asked.clientCertificate(), asked).principal();
    }

    /**
     * Accepts this change if it is signed and was not accepted before; to be called once its body is checked.
     *
     * @param always whether also without a nonce, whatever is configured
     * @throws GatewayException {@code REPLAYED} or {@code CLOCK_SKEWED}
     */
    public void acceptOnce(Authenticator authenticator, boolean always) {
        notMade = authenticator.accept(caller, always);
    }

    /** Lets a change that was refused be sent again, unless it may be made. The answer may have to wait. */
    public void refused(GatewayException reason) {
        if (reason.code().fault() == Fault.CALLER) {
            String key = caller.keyId();
            String client = key == null ? address : key;
            waitNanos = reason.retry() == RetryAdvice.AFTER_BACKOFF
                    ? parts.refusals()
                            .waitNanos(client, largeSteps.workedNanos(), Duration.ofSeconds(reason.retryAfterSeconds()))
                    : parts.refusals().waitNanos(client, largeSteps.workedNanos());
        }
        boolean notDone = reason.retry() == RetryAdvice.NEVER || reason.retry() == RetryAdvice.AFTER_BACKOFF;
        if (notDone && reason.code().fault() != Fault.INTERNAL) {
            notMade.run();
        }
    }

    /** Who asks; a guest before {@link #identify}. */
    public Caller caller() {
        return caller;
    }

    /**
     * Has the request count as one that waits for messages.
     *
     * @param atMost how long it waits, so that it does not count as slow
     * @throws GatewayException {@code THROTTLED} if too many of the client's do
     */
    public void startWaiting(Duration atMost) {
        waitsNanos = atMost.toNanos();
        Permit held = permit;
        if (held != null) {
            held.startWaiting();
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        gone = end;
        watch = new ClientWatch(request, () -> {
            abort(new EofException("the client has gone"));
            end.complete(null);
        });
    }

    /** Ends the exchange as soon as its client has gone; after {@link #startWaiting}, once it is sure that it waits. */
    public void watchClient() {
        ClientWatch started = watch;
        if (started != null) {
            started.start();
        }
    }

    /** Completed when the client of a request that waits has gone; null if it does not wait. */
    public @Nullable CompletableFuture<Void> gone() {
        return gone;
    }

    private void stopWatching() {
        ClientWatch started = watch;
        if (started != null) {
            started.stop();
        }
    }

    private void countBytes(long bytes) {
        Permit held = permit;
        if (held != null) {
            held.count(bytes);
        }
    }

    /**
     * Takes room for bytes that will be kept in memory for this exchange beside the request's body.
     *
     * @throws GatewayException {@code OVERLOADED} if there is none
     */
    public void reserveBytes(long bytes) {
        Permit held = permit;
        if (held != null) {
            held.reserve(bytes);
            reserved.addAndGet(bytes);
        }
    }

    /** Gives back what {@link #reserveBytes} has taken, in a stream: what it was for has been written. */
    public void giveBackReserved() {
        countBytes(-reserved.getAndSet(0));
    }

    /**
     * The same, for the bytes of the answer before they are made. At most so many are expected: the answer is counted with
     * what it really has.
     */
    public void reserveAnswer(long bytes) {
        reserveBytes(bytes);
        reservedForAnswer = bytes;
    }

    /** @param received has room for a {@link BlockAround} in an array that is the request's own */
    void received(ByteSlice received) {
        parts.metrics().received(received.length());
        body = received;
    }

    /** What was asked for is done from now on. */
    void workBegins() {
        workBegun = true;
    }

    /** Whether these bytes are the body itself, which has room for a {@link BlockAround} in an array that is the request's own. */
    public boolean isBody(ByteSlice bytes) {
        ByteSlice whole = body;
        return whole != null
                && bytes.array() == whole.array()
                && bytes.offset() == whole.offset()
                && bytes.length() == whole.length();
    }

    /**
     * The same batch, whose array is used again once it is stored, if it is the array of the body.
     *
     * @param batch the only one that is made of this body
     */
    public MessageBatch recycled(MessageBatch batch) {
        ByteSlice whole = body;
        if (whole == null) {
            return batch;
        }
        for (MessageBlock block : batch.blocks()) {
            if (block.data().array() != whole.array()) {
                return batch;
            }
        }
        return batch.recycledTo(parts.bodies()::give);
    }

    /** Writes the answer, unless there was one. */
    public void answer(Answer answer) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        try {
            stopWatching();
            answeredOutcome = answer.outcome();
            if (!answer.headers().isEmpty()) {
                noteHeaders(answer.headers());
            }
            if (waitNanos > 0) {
                writeLater(answer);
            } else {
                write(answer);
            }
        } catch (Throwable e) {
            callback.failed(e);
        }
    }

    private void noteHeaders(List<HttpField> headers) {
        checkSize(headers);
        for (HttpField header : headers) {
            if (header.getHeader() == HttpHeader.LOCATION) {
                target = header.getValue();
            }
        }
    }

    private void writeLater(Answer answer) {
        // It is counted no more, and this may be one of many that wait.
        body = null;
        end();
        parts.later(waitNanos, callback, () -> write(answer));
    }

    private void write(Answer answer) {
        long length = AnswerWriter.length(answer.body());
        if (length > NOT_COUNTED_BYTES || reservedForAnswer != 0) {
            countBytes(length - reservedForAnswer);
        }
        response.setStatus(answer.status());
        if (answer.status() != HttpStatus.NO_CONTENT_204) {
            response.getHeaders()
                    .put(
                            answer.contentType().equals(JSON.getValue())
                                    ? JSON
                                    : new HttpField(HttpHeader.CONTENT_TYPE, answer.contentType()));
            response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
        }
        if (!answer.headers().isEmpty()) {
            answer.headers().forEach(response.getHeaders()::put);
        }
        response.getHeaders().put(RequestId.HEADER, context.requestId());
        addStages();
        Sent sent = new Sent(answer.outcome(), length);
        writer.writeWhole(answer.body(), length, sent);
        sent.writeReturned();
    }

    /**
     * Ends the exchange when its answer was written, or could not be. If it was written at once, then not within the write: Jetty runs the
     * callbacks of all requests of a connection one after another, and would leave those of the next request to this thread, which may be
     * completed before its turn comes.
     */
    private final class Sent implements Callback {

        private final String newOutcome;
        private final long length;
        /** Whether the answer was written, or the write has returned: whichever is first. */
        private final AtomicBoolean half = new AtomicBoolean();

        Sent(String newOutcome, long length) {
            this.newOutcome = newOutcome;
            this.length = length;
        }

        @Override
        public void succeeded() {
            parts.metrics().sent(length);
            outcome = newOutcome;
            endIfSecond();
        }

        void writeReturned() {
            endIfSecond();
        }

        private void endIfSecond() {
            if (!half.compareAndSet(false, true)) {
                callback.succeeded();
            }
        }

        /**
         * Jetty fails a write also while another thread still sends it, if the client goes. An error that Jetty writes then would be mixed
         * up with the answer.
         */
        @Override
        public void failed(Throwable failure) {
            callback.failed(new Request.Handler.AbortException(failure));
        }
    }

    /** Jetty notices too late, and then answers only when the connection has been idle for long. */
    private static void checkSize(List<HttpField> headers) {
        long size = 0;
        for (HttpField header : headers) {
            size += header.getName().length() + header.getValue().length();
        }
        if (size > MAX_HEADER_BYTES) {
            throw new IllegalStateException("the headers of an answer have " + size + " characters");
        }
    }

    private void addStages() {
        Stages stages = stages();
        if (stages != null) {
            Stages.stamp(stages, Stage.ANSWERED);
            if (tellsStages) {
                response.getHeaders().put(STAGES_HEADER, stages.text());
            }
        }
    }

    /**
     * Begins an answer that is written part by part, for as long as there is something to write.
     *
     * @return false if there was an answer
     */
    public boolean beginStream(String contentType, List<HttpField> headers) {
        if (!answered.compareAndSet(false, true)) {
            return false;
        }
        response.setStatus(HttpStatus.OK_200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        headers.forEach(response.getHeaders()::put);
        response.getHeaders().put(RequestId.HEADER, context.requestId());
        return true;
    }

    /**
     * Writes a part of a stream, which the client has to take in a bounded time. One at a time.
     *
     * @param done called once, with null or the failure; by this thread or another one
     */
    public void writePart(List<ByteSlice> part, Consumer<@Nullable Throwable> done) {
        Callback written = Callback.from(
                () -> {
                    parts.metrics().sent(AnswerWriter.length(part));
                    done.accept(null);
                },
                done);
        writer.writePart(part, false, written);
    }

    /** Writes the last part of a stream; no other is being written. */
    public void endStream(List<ByteSlice> part, String streamOutcome) {
        stopWatching();
        answeredOutcome = streamOutcome;
        Sent sent = new Sent(streamOutcome, AnswerWriter.length(part));
        writer.writePart(part, true, sent);
        sent.writeReturned();
    }

    /** Ends a stream without a last part; nothing is being written. */
    public void abortStream(Throwable cause) {
        stopWatching();
        callback.failed(cause);
    }

    /** Ends the connection of a client that takes its answer too slowly. What is being written fails. */
    public void disconnect() {
        writer.disconnect();
    }

    /** Ends the exchange without an answer, unless there was one: there is nobody to read it, or none can be made. */
    void abort(Throwable cause) {
        if (answered.compareAndSet(false, true)) {
            stopWatching();
            callback.failed(cause);
        }
    }

    /** To be called when Jetty has completed the request. */
    void completed() {
        long nowNanos = parts.clock().nanoTime();
        try {
            end();
        } finally {
            parts.metrics().answered(interfaceName, requestClass, outcome, nowNanos - startedAtNanos);
            ExchangeLogs.noteIfSlow(this, parts.logs().slow(), nowNanos);
            ExchangeLogs.endSpan(this, nowNanos);
        }
    }

    /** Once only: gives back what the request holds. */
    private void end() {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        Permit held = permit;
        try {
            // Before the request counts as ended: a gateway that stops waits for that, and then closes the audit log.
            ExchangeLogs.audit(this, parts.audit());
        } finally {
            if (held != null) {
                held.release();
            }
        }
    }

    String interfaceName() {
        return interfaceName;
    }

    Response response() {
        return response;
    }

    TraceContext context() {
        return context;
    }

    Tracing.@Nullable Received span() {
        return span;
    }

    @Nullable
    Stages stages() {
        RequestTrace known = trace;
        return known == null ? null : known.stages();
    }

    /** For how long it waited on purpose: for messages, or before an answer. */
    long waitedNanos() {
        return waitsNanos + waitNanos;
    }

    /** Of the client; empty before it was admitted. */
    String address() {
        return address;
    }

    /** Whether it can have changed something. */
    boolean hasWorkBegun() {
        return workBegun;
    }

    /** What it was about, if its path does not say so. */
    @Nullable
    String target() {
        return target;
    }

    /** How it was answered, also if the client did not take the answer. */
    String outcome() {
        return answeredOutcome;
    }

    @Nullable
    String operation() {
        return operation;
    }

    @Nullable
    String traceId() {
        return context.traceId();
    }

    /** The host that it was handed to; null if it was served here. */
    @Nullable
    String owner() {
        RequestTrace known = trace;
        return known == null ? null : known.forwardedTo();
    }
}
