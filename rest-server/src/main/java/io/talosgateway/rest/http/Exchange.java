package io.talosgateway.rest.http;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

import io.talosgateway.rest.admission.AdmissionController.Permit;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
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

    private final String interfaceName;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final RequestMetrics metrics;
    private final NanoClock clock;
    private final long startedAtNanos;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile RequestClass requestClass = RequestClass.OTHER;
    private volatile @Nullable Permit permit;
    private volatile @Nullable Stages stages;
    private volatile String outcome = "client-gone";

    Exchange(
            String interfaceName,
            Request request,
            Response response,
            Callback callback,
            RequestMetrics metrics,
            NanoClock clock) {
        this.interfaceName = interfaceName;
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.metrics = metrics;
        this.clock = clock;
        this.startedAtNanos = clock.nanoTime();
    }

    public Request request() {
        return request;
    }

    /** The first value of a request header, or null. */
    public @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }

    /** When the request's headers had arrived, on the gateway's clock. */
    public long startedAtNanos() {
        return startedAtNanos;
    }

    /**
     * When this request passes which stages, if its client asks ({@code Talos-Stages: on}); then the answer says it. To be called
     * once it is permitted.
     *
     * @throws GatewayException {@code MALFORMED_REQUEST} if the header is anything else
     */
    public @Nullable Stages stages() {
        String header = header(STAGES_HEADER);
        if (header == null) {
            return null;
        }
        if (!header.equals("on")) {
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST,
                    "The header " + STAGES_HEADER + " must be 'on', not '" + header + "'.");
        }
        Stages asked = new Stages(clock);
        asked.stamp(Stage.RECEIVED, startedAtNanos);
        stages = asked;
        return asked;
    }

    public RequestClass requestClass() {
        return requestClass;
    }

    public void setRequestClass(RequestClass newClass) {
        requestClass = newClass;
    }

    void hold(Permit newPermit) {
        permit = newPermit;
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
        }
    }

    void received(long bytes) {
        metrics.received(bytes);
    }

    /** An answer. The body is the parts, one after another. */
    public record Answer(
            int status, String contentType, List<ByteSlice> body, List<HttpField> headers, String outcome) {

        public static final String OK = "ok";

        public static Answer of(int status, String contentType, ByteSlice body) {
            return new Answer(status, contentType, List.of(body), List.of(), OK);
        }

        /** The same answer counted under another outcome. */
        public Answer withOutcome(String newOutcome) {
            return new Answer(status, contentType, body, headers, newOutcome);
        }

        public Answer withHeaders(List<HttpField> newHeaders) {
            return new Answer(status, contentType, body, newHeaders, outcome);
        }
    }

    /** Writes the answer, unless there was one. */
    public void answer(Answer answer) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        try {
            write(answer);
        } catch (Throwable e) {
            callback.failed(e);
        }
    }

    private void write(Answer answer) {
        long length = 0;
        for (ByteSlice part : answer.body) {
            length += part.length();
        }
        countBytes(length);
        checkSize(answer.headers);
        response.setStatus(answer.status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, length);
        answer.headers.forEach(response.getHeaders()::put);
        addStages();
        new Writing(answer, length).iterate();
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
        Stages asked = stages;
        if (asked != null) {
            Stages.stamp(asked, Stage.ANSWERED);
            response.getHeaders().put(STAGES_HEADER, asked.text());
        }
    }

    /** Writes the parts one after another. */
    private final class Writing extends IteratingCallback {

        private final Answer answer;
        private final long length;
        private int next;

        Writing(Answer answer, long length) {
            this.answer = answer;
            this.length = length;
        }

        @Override
        protected Action process() {
            int count = answer.body.size();
            if (next > count) {
                return Action.SUCCEEDED;
            }
            boolean last = next >= count - 1;
            ByteBuffer part = next < count ? answer.body.get(next).toByteBuffer() : ByteBuffer.allocate(0);
            next = last ? count + 1 : next + 1;
            response.write(last, part, this);
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteSuccess() {
            metrics.sent(length);
            outcome = answer.outcome;
            callback.succeeded();
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            callback.failed(cause);
        }
    }

    /** Ends the exchange without an answer, unless there was one: there is nobody to read it, or none can be made. */
    void abort(Throwable cause) {
        if (answered.compareAndSet(false, true)) {
            callback.failed(cause);
        }
    }

    /** To be called when Jetty has completed the request. */
    void completed() {
        Permit held = permit;
        if (held != null) {
            held.release();
        }
        metrics.answered(interfaceName, requestClass, outcome, clock.nanoTime() - startedAtNanos);
    }
}
