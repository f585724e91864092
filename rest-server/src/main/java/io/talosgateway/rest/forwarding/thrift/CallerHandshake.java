package io.talosgateway.rest.forwarding.thrift;

import java.util.random.RandomGenerator;

import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hostprotocol.Handshake;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GreetRequest;
import io.talosgateway.thrift.GreetResponse;
import io.talosgateway.thrift.ProveRequest;
import io.talosgateway.thrift.ProveResponse;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TException;
import org.jspecify.annotations.Nullable;

/** The caller's side of the handshake on one connection: what to send, and whether to believe what comes. For one thread. */
public final class CallerHandshake {

    private final HostIdentity self;
    private final long incarnation;
    private final Peer owner;
    private final ByteSlice nonce;
    private ByteSlice certificate = ByteSlice.EMPTY;
    private @Nullable Handshake handshake;
    private boolean complete;

    /**
     * @param incarnation under which this host is registered
     * @param random must not be predictable
     */
    public CallerHandshake(HostIdentity self, long incarnation, Peer owner, RandomGenerator random) {
        this.self = self;
        this.incarnation = incarnation;
        this.owner = owner;
        this.nonce = Handshake.nonce(random);
    }

    /** Binds the handshake to a connection over TLS; before {@link #greet}. */
    void over(ByteSlice digest) {
        certificate = digest;
    }

    /** The first frame to send. */
    public HostFrame greet() throws TException {
        GreetRequest request = new GreetRequest(Handshake.VERSION, self.clusterId(), self.host(), nonce.toByteBuffer())
                .setFromIncarnation(incarnation);
        return HostFrame.of(out -> HostMethods.GREET.writeCall(out, 0, request));
    }

    public boolean isComplete() {
        return complete;
    }

    /**
     * Takes an answer.
     *
     * @return the next frame to send; null once the handshake is complete
     * @throws TException with a sentence for the operator if the other side is not the host that was meant
     */
    @Nullable
    public HostFrame answered(ByteSlice answer) throws TException {
        Handshake greeted = handshake;
        try {
            if (greeted == null) {
                return prove(HostMethods.GREET.readReply(HostFrame.reading(answer)));
            }
            check(greeted, HostMethods.PROVE.readReply(HostFrame.reading(answer)));
            complete = true;
            return null;
        } catch (GalaxyTalosException e) {
            throw new TException("it refuses this host: " + e.getDetails(), e);
        } catch (RuntimeException e) {
            throw new TException("it does not answer like a host of the cluster", e);
        }
    }

    private HostFrame prove(@Nullable GreetResponse response) throws TException {
        if (response == null) {
            throw new TException("it did not greet");
        }
        if (!response.getHost().equals(owner.host()) || response.getIncarnation() != owner.incarnation()) {
            throw new TException("there is " + response.getHost() + ", incarnation " + response.getIncarnation()
                    + ", at its address");
        }
        Handshake greeted = new Handshake(
                self.clusterId(),
                self.host(),
                incarnation,
                nonce,
                response.getHost(),
                response.getIncarnation(),
                new ByteSlice(response.getNonce()),
                certificate);
        handshake = greeted;
        ProveRequest request =
                new ProveRequest(greeted.callerProof(self.secret()).toByteBuffer());
        return HostFrame.of(out -> HostMethods.PROVE.writeCall(out, 0, request));
    }

    private void check(Handshake greeted, @Nullable ProveResponse response) throws TException {
        if (response == null || !greeted.isOwnerProof(self.secret(), new ByteSlice(response.getProof()))) {
            throw new TException("it does not know the secret of the cluster (peer.secret)");
        }
    }
}
