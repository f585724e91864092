package io.talosgateway.rest.peer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.talosgateway.fuzz.FuzzTarget;
import io.talosgateway.rest.hostprotocol.ClusterSecret;
import io.talosgateway.rest.hostprotocol.Handshake;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.thrift.GreetRequest;
import io.talosgateway.thrift.ProveRequest;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TProtocol;

import static org.assertj.core.api.Assertions.assertThat;

/** What a stranger sends to the peer port, without the length in front. */
public final class PeerTargets {

    private static final GreetRequest GREETING =
            new GreetRequest(Handshake.VERSION, "cluster", "gw-2", ByteBuffer.allocate(32)).setFromIncarnation(2);

    private PeerTargets() {}

    public static List<FuzzTarget<?>> all() {
        return List.of(FuzzTarget.of(
                        "peer-handshake",
                        List.of(
                                frame(out -> HostMethods.GREET.writeCall(out, 0, GREETING)),
                                frame(out -> HostMethods.PROVE.writeCall(
                                        out, 0, new ProveRequest(ByteBuffer.allocate(32))))),
                        PeerTargets::handshake)
                .allocating(128, 1 << 20));
    }

    private static byte[] frame(ThriftEnvelope.StructWriter writer) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            HostFrame.of(writer).slices().forEach(slice -> bytes.write(slice.array(), slice.offset(), slice.length()));
            byte[] all = bytes.toByteArray();
            return Arrays.copyOfRange(all, HostFrame.LENGTH_BYTES, all.length);
        } catch (TException e) {
            throw new AssertionError("writing to memory does not fail", e);
        }
    }

    /** As {@link PeerProcessor} does: nobody is let in. */
    private static Boolean handshake(byte[] input) {
        HostIdentity self = new HostIdentity("cluster", "gw-1", new ClusterSecret("a secret of the cluster"));
        OwnerHandshake handshake = new OwnerHandshake(self, 1, (host, incarnation) -> true, new Random(3));
        try {
            TProtocol in = HostFrame.reading(new ByteSlice(input));
            TMessage call = in.readMessageBegin();
            if (call.name.equals(HostMethods.PROVE.name())) {
                handshake.greet(GREETING);
                handshake.prove(HostMethods.PROVE.readArguments(in));
            } else {
                handshake.greet(HostMethods.GREET.readArguments(in));
            }
        } catch (OwnerHandshake.RefusedException | TException | RuntimeException e) {
            // PeerProcessor catches them all, and ends the connection.
        }
        assertThat(handshake.isComplete()).isFalse();
        return true;
    }
}
