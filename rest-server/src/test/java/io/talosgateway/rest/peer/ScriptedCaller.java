package io.talosgateway.rest.peer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;

import io.talosgateway.rest.hostprotocol.Handshake;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GreetRequest;
import io.talosgateway.thrift.GreetResponse;
import io.talosgateway.thrift.ProveRequest;
import io.talosgateway.thrift.ProveResponse;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;

/** A host that connects to the peer port and says what the test wants. */
final class ScriptedCaller implements AutoCloseable {

    static final String NAME = "caller";

    private final RawConnection connection;
    private final ByteSlice nonce;
    private final long incarnation;

    ScriptedCaller(int port) throws IOException {
        this(port, Handshake.nonce(new Random(2)));
    }

    ScriptedCaller(int port, ByteSlice nonce) throws IOException {
        this(port, nonce, ForwardFixture.CALLER);
    }

    ScriptedCaller(int port, ByteSlice nonce, long incarnation) throws IOException {
        this.incarnation = incarnation;
        this.connection = RawConnection.to(port);
        this.nonce = nonce;
    }

    /** A connection that has proved. */
    static ScriptedCaller proved(int port) throws IOException, TException {
        ScriptedCaller caller = new ScriptedCaller(port);
        Handshake handshake = caller.greet();
        ProveResponse response = caller.prove(handshake.callerProof(ForwardFixture.SECRET));
        if (!handshake.isOwnerProof(ForwardFixture.SECRET, new ByteSlice(response.getProof()))) {
            throw new AssertionError("the owner does not know the secret");
        }
        return caller;
    }

    RawConnection raw() {
        return connection;
    }

    GreetRequest greeting() {
        return new GreetRequest(Handshake.VERSION, "cluster", NAME, nonce.toByteBuffer())
                .setFromIncarnation(incarnation);
    }

    /** The frame of the greeting. */
    byte[] greetingBytes() throws IOException, TException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ByteSlice slice : HostFrame.of(out -> HostMethods.GREET.writeCall(out, 0, greeting()))
                .slices()) {
            bytes.write(slice.toByteArray());
        }
        return bytes.toByteArray();
    }

    /** Greets as a host of the cluster; what both sides know then. */
    Handshake greet() throws IOException, TException {
        GreetResponse response = call(HostMethods.GREET, greeting());
        return new Handshake(
                "cluster",
                NAME,
                incarnation,
                nonce,
                response.getHost(),
                response.getIncarnation(),
                new ByteSlice(response.getNonce()),
                ByteSlice.EMPTY);
    }

    /** @throws GalaxyTalosException if the owner refuses */
    ProveResponse prove(ByteSlice proof) throws IOException, TException {
        return call(HostMethods.PROVE, new ProveRequest(proof.toByteBuffer()));
    }

    /** Calls a method and waits for the answer. */
    <A, R> R call(ThriftMethod<A, R> method, A argument) throws IOException, TException {
        send(method, argument);
        TProtocol in = connection.receive();
        return method.readReply(in);
    }

    <A> void send(ThriftMethod<A, ?> method, A argument) throws IOException, TException {
        connection.send(out -> method.writeCall(out, 0, argument));
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
