package io.talosgateway.rest.forwarding.thrift;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;

import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hostprotocol.Handshake;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.WheelTimer;
import org.apache.thrift.protocol.TProtocol;
import org.jspecify.annotations.Nullable;

/**
 * Greets other hosts as a gateway does before it sends requests, and ends the connection then. Methods block; for one thread.
 */
public final class HostProbe implements AutoCloseable {

    private final WheelTimer timer;
    private final IoLoop loop;
    private final LinkParts parts;

    /**
     * Starts threads.
     *
     * @param self whom to pass for; a host that knows the secret
     * @param incarnation under which it is registered; another one ends the greeting where only that is left to check
     * @param tls makes the TLS of a connection; null for clear text
     * @throws IOException if the system gives no selector
     */
    public HostProbe(
            ForwardConfig config,
            HostIdentity self,
            long incarnation,
            @Nullable Supplier<SSLEngine> tls,
            NanoClock clock)
            throws IOException {
        this.loop = new IoLoop("probe");
        this.timer = new WheelTimer("probe-deadlines", clock).start();
        this.parts = new LinkParts(
                config, self, () -> incarnation, loop, timer, Runnable::run, clock, new SecureRandom(), tls);
        loop.start();
    }

    /**
     * Connects to a host, has it prove that it belongs to the cluster, and proves the same.
     *
     * @return null if that succeeds, or fails only because this host is not registered; otherwise the reason
     */
    public @Nullable String greet(Peer host) throws InterruptedException {
        CompletableFuture<@Nullable String> outcome = new CompletableFuture<>();
        HostConnection connection = new HostConnection(parts, host, new HostConnection.Listener() {

            @Override
            public void proved(HostConnection proved) {
                outcome.complete(null);
            }

            @Override
            public void answered(HostConnection answering, Call<?> call, TProtocol in, boolean exceptional) {
                throw new AssertionError("nothing was asked");
            }

            @Override
            public void closed(HostConnection closed, String reason, @Nullable Call<?> call, boolean sent) {
                outcome.complete(reason.endsWith(Handshake.NOT_REGISTERED) ? null : reason);
            }
        });
        connection.open(new PeerAddress(host.address()));
        try {
            // The connection itself gives up earlier.
            return outcome.get(2 * parts.config().connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return "it does not answer";
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause());
        } finally {
            loop.execute(() -> connection.close("it was greeted"));
        }
    }

    @Override
    public void close() {
        loop.close();
        timer.close();
    }
}
