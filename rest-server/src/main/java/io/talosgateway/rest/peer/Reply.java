package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.rest.hostprotocol.RemoteErrors;
import io.talosgateway.rest.requestlog.AccessLog;
import io.talosgateway.rest.requestlog.RequestLogs;
import io.talosgateway.rest.requestlog.SlowRequests;
import io.talosgateway.rest.stages.StageInterval;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.rest.trace.Tracing;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.server.AbstractNonblockingServer.AsyncFrameBuffer;
import org.apache.thrift.transport.TTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answer to one call: given once, by any thread; later attempts do nothing. */
final class Reply {

    private static final Logger log = LoggerFactory.getLogger(Reply.class);

    private static final double NANOS_PER_MS = 1e6;

    private final AsyncFrameBuffer buffer;
    private final PeerConnection connection;
    private final TMessage call;
    private final PeerMetrics metrics;
    private final RequestLogs logs;
    private final Connections connections;
    private final int bytesIn;
    private final long sinceNanos;
    private final AtomicBoolean given = new AtomicBoolean();
    private volatile AdmissionController.@Nullable Permit permit;
    private volatile @Nullable RequestTrace trace;
    private volatile Tracing.@Nullable Received span;
    private volatile long onPurposeNanos;

    Reply(
            AsyncFrameBuffer buffer,
            PeerConnection connection,
            TMessage call,
            int bytesIn,
            Connections connections,
            PeerMetrics metrics,
            RequestLogs logs) {
        this.buffer = buffer;
        this.connection = connection;
        this.call = call;
        this.connections = connections;
        this.metrics = metrics;
        this.bytesIn = bytesIn;
        this.logs = logs;
        this.sinceNanos = connections.clock().nanoTime();
    }

    PeerConnection connection() {
        return connection;
    }

    /** Has the permit released when the answer is written, or the connection ends. */
    void hold(AdmissionController.Permit given) {
        permit = given;
        connection.hold(given);
    }

    /**
     * Takes what the calling host says of a put or get.
     *
     * @param told null if that host does not say what names it
     * @param maxWait how long it may wait for messages
     * @return what goes with it on its way through this host
     */
    RequestTrace trace(@Nullable RequestTrace told, Duration maxWait) {
        TraceContext context = told == null ? TraceContext.of(null, List.of(), List.of()) : told.context();
        Tracing.Received begun = logs.tracing().receive(context, sinceNanos);
        RequestTrace made = new RequestTrace(
                begun == null ? context : begun.context(),
                logs.stages(false, begun, connections.clock(), sinceNanos),
                begun);
        span = begun;
        onPurposeNanos = maxWait.toNanos();
        trace = made;
        return made;
    }

    /** @param result null for a method without one */
    void result(ThriftEnvelope.@Nullable StructWriter result) {
        give("ok", out -> ThriftEnvelope.writeResult(out, call.name, call.seqid, result));
    }

    void failure(Throwable failure) {
        Throwable reason =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (reason instanceof GatewayException known) {
            refuse(known);
            return;
        }
        RequestTrace known = trace;
        log.error(
                "A request of host {} failed in an unexpected way (request {})",
                connection.handshake().caller(),
                known == null ? "without id" : known.context().requestId(),
                reason);
        refuse(new GatewayException(ErrorCode.INTERNAL, "The host that serves the partition made a mistake."));
    }

    void refuse(GatewayException reason) {
        give(
                reason.code().text(),
                out -> ThriftEnvelope.writeException(out, call.name, call.seqid, RemoteErrors.toThrift(reason)));
    }

    /** Says that nothing was done, because the call was not understood. */
    void notTaken(String reason) {
        TApplicationException exception = new TApplicationException(TApplicationException.PROTOCOL_ERROR, reason);
        give("not-understood", out -> ThriftEnvelope.writeApplicationException(out, call.name, call.seqid, exception));
    }

    private void give(String outcome, ThriftEnvelope.StructWriter envelope) {
        if (!given.compareAndSet(false, true)) {
            return;
        }
        int bytesOut = 0;
        try {
            HostFrame frame = HostFrame.of(envelope);
            bytesOut = frame.length();
            AdmissionController.Permit held = permit;
            if (held != null) {
                held.count(frame.length());
            }
            TTransport out = buffer.getOutputProtocol().getTransport();
            for (ByteSlice slice : frame.slices()) {
                out.write(slice.array(), slice.offset(), slice.length());
            }
        } catch (TException | RuntimeException e) {
            // The caller learns of it by the end of the connection: for a put, that its outcome is unknown.
            log.error("An answer to another host could not be written down", e);
            connection.end(CloseReason.BROKEN_OFF);
        }
        String method = PeerCalls.isMethod(call.name) ? call.name : "unknown";
        long nanos = connections.clock().nanoTime() - sinceNanos;
        metrics.answered(method, outcome, nanos);
        note(method, outcome, bytesOut, nanos);
        buffer.responseReady();
    }

    private void note(String method, String outcome, int bytesOut, long nanos) {
        RequestTrace known = trace;
        boolean reads = method.equals(HostMethods.TRANSFER_GET_MESSAGE.name());
        if (known != null && logs.slow().isSlow(nanos, onPurposeNanos)) {
            logs.slow()
                    .log(
                            new SlowRequests.Ended(
                                    known.context(), sinceNanos, sinceNanos + nanos, known.stages(), reads),
                            () -> "%s of host %s, %s"
                                    .formatted(method, connection.handshake().caller(), outcome));
        }
        Tracing.Received begun = span;
        if (begun != null && known != null) {
            Stages stages = known.stages();
            long nowNanos = sinceNanos + nanos;
            begun.end(new Tracing.End(
                    nowNanos,
                    stages == null ? List.of() : StageInterval.of(stages, reads, nowNanos),
                    Map.of(
                            "talos.request_id", known.context().requestId(),
                            "talos.operation", method,
                            "talos.outcome", outcome),
                    outcome.equals(ErrorCode.INTERNAL.text())));
        }
        if (!logs.notesAccess()) {
            return;
        }
        logs.access()
                .add(new AccessLog.Entry(
                        known == null ? null : known.context().requestId(),
                        known == null ? null : known.context().traceId(),
                        "host",
                        connection.handshake().caller(),
                        null,
                        null,
                        null,
                        method,
                        null,
                        outcome,
                        bytesIn,
                        bytesOut,
                        nanos / NANOS_PER_MS,
                        null,
                        null));
    }
}
