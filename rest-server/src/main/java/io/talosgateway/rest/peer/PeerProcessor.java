package io.talosgateway.rest.peer;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.rest.requestlog.RequestLogs;
import io.talosgateway.thrift.GreetRequest;
import io.talosgateway.thrift.GreetResponse;
import io.talosgateway.thrift.ProveRequest;
import io.talosgateway.thrift.ProveResponse;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TAsyncProcessor;
import org.apache.thrift.TException;
import org.apache.thrift.TProcessor;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.server.AbstractNonblockingServer.AsyncFrameBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;

/**
 * Takes frames from libthrift's server: handshakes first, then calls. Never throws: libthrift would log a stack trace for
 * every frame of a stranger.
 */
final class PeerProcessor implements TAsyncProcessor, TProcessor {

    private final PeerCalls calls;
    private final Connections connections;
    private final PeerMetrics metrics;
    private final RequestLogs logs;

    PeerProcessor(PeerCalls calls, Connections connections, PeerMetrics metrics, RequestLogs logs) {
        this.calls = calls;
        this.connections = connections;
        this.metrics = metrics;
        this.logs = logs;
    }

    @Override
    public void process(AsyncFrameBuffer buffer) {
        TMemoryInputTransport frame =
                (TMemoryInputTransport) buffer.getInputProtocol().getTransport();
        PeerConnection connection = ((PeerConnection.Configuration) frame.getConfiguration()).connection();
        // The array is not used again once the call is answered: payloads may stay slices of it.
        byte[] bytes = frame.getBuffer();
        ByteSlice body = new ByteSlice(bytes, HostFrame.LENGTH_BYTES, bytes.length - HostFrame.LENGTH_BYTES);
        try {
            TProtocol in = HostFrame.reading(body);
            TMessage call = in.readMessageBegin();
            if (call.type != TMessageType.CALL) {
                throw new TProtocolException("not a call");
            }
            Reply reply = new Reply(buffer, connection, call, body.length(), connections, metrics, logs);
            if (connection.handshake().isComplete() && !isHandshake(call.name)) {
                calls.call(call.name, in, body.length(), reply);
            } else {
                shakeHands(call.name, in, reply);
            }
        } catch (OwnerHandshake.RefusedException e) {
            endWithoutAnswer(buffer, connection, e.reason());
        } catch (TException | RuntimeException e) {
            endWithoutAnswer(buffer, connection, CloseReason.NOT_A_HOST);
        }
    }

    /** libthrift takes a processor for asynchronous if it is both kinds; it never calls this one. */
    @Override
    public void process(TProtocol in, TProtocol out) {
        throw new UnsupportedOperationException("calls are answered asynchronously");
    }

    private static boolean isHandshake(String method) {
        return method.equals(HostMethods.GREET.name()) || method.equals(HostMethods.PROVE.name());
    }

    private static void shakeHands(String method, TProtocol in, Reply reply)
            throws TException, OwnerHandshake.RefusedException {
        PeerConnection connection = reply.connection();
        try {
            if (method.equals(HostMethods.GREET.name())) {
                GreetRequest request = HostMethods.GREET.readArguments(in);
                if (request != null) {
                    GreetResponse response = connection.handshake().greet(request);
                    reply.result(response::write);
                    return;
                }
            } else if (method.equals(HostMethods.PROVE.name())) {
                ProveRequest request = HostMethods.PROVE.readArguments(in);
                if (request != null) {
                    ProveResponse response = connection.handshake().prove(request);
                    connection.proved();
                    reply.result(response::write);
                    return;
                }
            }
        } catch (OwnerHandshake.RefusedException e) {
            switch (e.reason()) {
                case OTHER_CLUSTER, OTHER_VERSION, WRONG_PROOF, NOT_REGISTERED -> {
                    // Probably a host that is configured wrongly: its operator should read why.
                    connection.endWhenAnswered(e.reason());
                    reply.refuse(new GatewayException(
                            ErrorCode.UNAUTHENTICATED, e.reason().sentence()));
                    return;
                }
                default -> throw e;
            }
        }
        throw new OwnerHandshake.RefusedException(CloseReason.NO_PROOF);
    }

    private static void endWithoutAnswer(AsyncFrameBuffer buffer, PeerConnection connection, CloseReason reason) {
        connection.end(reason);
        buffer.responseReady();
    }
}
