package io.talosgateway.rest.peer;

import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.rest.hostprotocol.RemoteErrors;
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

    private final AsyncFrameBuffer buffer;
    private final PeerConnection connection;
    private final TMessage call;
    private final PeerMetrics metrics;
    private final Connections connections;
    private final long sinceNanos;
    private final AtomicBoolean given = new AtomicBoolean();
    private volatile AdmissionController.@Nullable Permit permit;

    Reply(
            AsyncFrameBuffer buffer,
            PeerConnection connection,
            TMessage call,
            Connections connections,
            PeerMetrics metrics) {
        this.buffer = buffer;
        this.connection = connection;
        this.call = call;
        this.connections = connections;
        this.metrics = metrics;
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
        log.error("A request of another host failed in an unexpected way", reason);
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
        try {
            HostFrame frame = HostFrame.of(envelope);
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
        metrics.answered(
                PeerCalls.isMethod(call.name) ? call.name : "unknown",
                outcome,
                connections.clock().nanoTime() - sinceNanos);
        buffer.responseReady();
    }
}
