package io.talosgateway.rest.peer;

import java.util.random.RandomGenerator;

import io.talosgateway.rest.hostprotocol.Handshake;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.thrift.GreetRequest;
import io.talosgateway.thrift.GreetResponse;
import io.talosgateway.thrift.ProveRequest;
import io.talosgateway.thrift.ProveResponse;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/** The answering host's side of the handshake on one connection: once through, and no second try. For one thread. */
final class OwnerHandshake {

    private final HostIdentity self;
    private final long incarnation;
    private final RegisteredHosts registered;
    private final ByteSlice nonce;
    private ByteSlice certificate = ByteSlice.EMPTY;
    private @Nullable Handshake handshake;
    private boolean complete;
    private boolean failed;

    /** The other side is not let in. */
    static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1L;

        private final CloseReason reason;

        RefusedException(CloseReason reason) {
            super(reason.sentence(), null, false, false);
            this.reason = reason;
        }

        CloseReason reason() {
            return reason;
        }
    }

    /**
     * @param incarnation under which other hosts find this one, at present
     * @param registered who may call
     * @param random must not be predictable
     */
    OwnerHandshake(HostIdentity self, long incarnation, RegisteredHosts registered, RandomGenerator random) {
        this.self = self;
        this.incarnation = incarnation;
        this.registered = registered;
        this.nonce = Handshake.nonce(random);
    }

    /** Binds the handshake to a connection over TLS; before {@link #greet}. */
    void over(ByteSlice digest) {
        certificate = digest;
    }

    /** Name of the calling host; empty before it has greeted. */
    String caller() {
        Handshake greeted = handshake;
        return greeted == null ? "" : greeted.caller();
    }

    /** Whether both sides have proved. */
    boolean isComplete() {
        return complete;
    }

    GreetResponse greet(GreetRequest request) throws RefusedException {
        if (handshake != null || failed) {
            throw refused(CloseReason.OUT_OF_TURN);
        }
        if (request.getVersion() != Handshake.VERSION) {
            throw refused(CloseReason.OTHER_VERSION);
        }
        if (!request.getClusterId().equals(self.clusterId())) {
            throw refused(CloseReason.OTHER_CLUSTER);
        }
        if (request.bufferForNonce().remaining() != Handshake.NONCE_BYTES || !request.isSetFromIncarnation()) {
            throw refused(CloseReason.NOT_A_HOST);
        }
        handshake = new Handshake(
                self.clusterId(),
                request.getFromHost(),
                request.getFromIncarnation(),
                new ByteSlice(request.getNonce()),
                self.host(),
                incarnation,
                nonce,
                certificate);
        return new GreetResponse(self.host(), incarnation, nonce.toByteBuffer());
    }

    ProveResponse prove(ProveRequest request) throws RefusedException {
        Handshake greeted = handshake;
        if (greeted == null || complete || failed) {
            throw refused(CloseReason.OUT_OF_TURN);
        }
        if (!greeted.isCallerProof(self.secret(), new ByteSlice(request.getProof()))) {
            throw refused(CloseReason.WRONG_PROOF);
        }
        // After the proof: a stranger does not learn who is registered.
        if (!registered.isAlive(greeted.caller(), greeted.callerIncarnation())) {
            throw refused(CloseReason.NOT_REGISTERED);
        }
        complete = true;
        return new ProveResponse(greeted.ownerProof(self.secret()).toByteBuffer());
    }

    private RefusedException refused(CloseReason reason) {
        failed = true;
        return new RefusedException(reason);
    }
}
