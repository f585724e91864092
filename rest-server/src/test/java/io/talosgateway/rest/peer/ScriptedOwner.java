package io.talosgateway.rest.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.Random;

import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hostprotocol.Handshake;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.thrift.GreetRequest;
import io.talosgateway.thrift.GreetResponse;
import io.talosgateway.thrift.ProveRequest;
import io.talosgateway.thrift.ProveResponse;
import io.talosgateway.thrift.TransferPutMessageRequest;
import io.talosgateway.thrift.TransferPutMessageResponse;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TProtocol;

/** A host that does what the test says, on the test's thread: it accepts, answers and dies when it is told to. */
final class ScriptedOwner implements AutoCloseable {

    static final String NAME = "owner";
    static final long INCARNATION = 7;

    private final ServerSocket port;
    private final Random random = new Random(1);

    ScriptedOwner() throws IOException {
        this.port = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        port.setSoTimeout(120_000);
    }

    Peer peer() {
        return new Peer(NAME, INCARNATION, "127.0.0.1:" + port.getLocalPort());
    }

    /** Waits for a connection; nothing is said on it yet. */
    RawConnection accept() throws IOException {
        return new RawConnection(port.accept());
    }

    /** Connections that nobody has accepted; none is accepted later. */
    int connectionsWaiting() throws IOException {
        port.setSoTimeout(1); // what has connected is there already: no time is given for more
        int waiting = 0;
        try {
            while (true) {
                port.accept().close();
                waiting++;
            }
        } catch (SocketTimeoutException none) {
            return waiting;
        }
    }

    /** Waits for a connection and takes part in the handshake. */
    Line acceptHost() throws IOException, TException {
        RawConnection connection = accept();
        GreetRequest greeting = readGreeting(connection);
        ByteSlice nonce = Handshake.nonce(random);
        Handshake handshake = new Handshake(
                greeting.getClusterId(),
                greeting.getFromHost(),
                greeting.getFromIncarnation(),
                new ByteSlice(greeting.getNonce()),
                NAME,
                INCARNATION,
                nonce,
                ByteSlice.EMPTY);
        greet(connection, nonce);
        if (!handshake.isCallerProof(ForwardFixture.SECRET, readProof(connection))) {
            throw new AssertionError("the caller does not know the secret");
        }
        prove(connection, handshake.ownerProof(ForwardFixture.SECRET));
        return new Line(connection);
    }

    static GreetRequest readGreeting(RawConnection connection) throws IOException, TException {
        TProtocol in = connection.receive();
        in.readMessageBegin();
        return HostMethods.GREET.readArguments(in);
    }

    static void greet(RawConnection connection, ByteSlice nonce) throws IOException, TException {
        GreetResponse greeting = new GreetResponse(NAME, INCARNATION, nonce.toByteBuffer());
        connection.send(out -> HostMethods.GREET.writeResult(out, 0, greeting));
    }

    static ByteSlice readProof(RawConnection connection) throws IOException, TException {
        TProtocol in = connection.receive();
        in.readMessageBegin();
        ProveRequest request = HostMethods.PROVE.readArguments(in);
        return new ByteSlice(request.getProof());
    }

    static void prove(RawConnection connection, ByteSlice proof) throws IOException, TException {
        connection.send(out -> HostMethods.PROVE.writeResult(out, 0, new ProveResponse(proof.toByteBuffer())));
    }

    /** The process is gone: connecting is refused. */
    @Override
    public void close() throws IOException {
        port.close();
    }

    /** A connection on which both sides have proved. */
    static final class Line implements AutoCloseable {

        private final RawConnection connection;

        private Line(RawConnection connection) {
            this.connection = connection;
        }

        RawConnection raw() {
            return connection;
        }

        /** Waits for a call of any kind; its header. */
        TMessage nextCall() throws IOException, TException {
            return connection.receive().readMessageBegin();
        }

        /** Waits for a put. */
        Asked nextPut() throws IOException, TException {
            TProtocol in = connection.receive();
            TMessage header = in.readMessageBegin();
            return new Asked(header.seqid, HostMethods.TRANSFER_PUT_MESSAGE.readArguments(in));
        }

        void answer(ThriftEnvelope.StructWriter message) throws IOException, TException {
            connection.send(message);
        }

        /** Says that a put is stored. */
        void stored(Asked put, long firstOffset) throws IOException, TException {
            connection.send(put.result(firstOffset));
        }

        @Override
        public void close() throws IOException {
            connection.close();
        }
    }

    /** A put as it arrived. */
    record Asked(int sequence, TransferPutMessageRequest request) {

        /** The answer that it is stored. */
        ThriftEnvelope.StructWriter result(long firstOffset) {
            return result(sequence, firstOffset);
        }

        static ThriftEnvelope.StructWriter result(int sequence, long firstOffset) {
            TransferPutMessageResponse response = new TransferPutMessageResponse(firstOffset, 1, 5, "disk", false);
            return out -> HostMethods.TRANSFER_PUT_MESSAGE.writeResult(out, sequence, response);
        }

        /** Whether this is that put, by its payload. */
        boolean isOf(PutRequest put) {
            return ByteSlice.of(request.getMessageBlocks().get(0).bufferForData())
                    .equals(put.batch().blocks().get(0).data());
        }
    }
}
