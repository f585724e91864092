package io.talosgateway.rest.forwarding.thrift;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;

import com.google.common.net.HostAndPort;
import com.google.common.net.InetAddresses;
import org.jspecify.annotations.Nullable;

/**
 * The address of a host. Looking up a name may take seconds, so that a thread of its own does it, one at a time for a host;
 * a numeric address needs none. For one thread, but for the futures.
 */
final class PeerAddress {

    private final String text;
    private @Nullable CompletableFuture<InetSocketAddress> pending;

    /** @param text {@code host:port} */
    PeerAddress(String text) {
        this.text = text;
    }

    /** The socket address, found anew each time; completed by a thread of its own, or by the caller. */
    CompletableFuture<InetSocketAddress> resolve() {
        CompletableFuture<InetSocketAddress> current = pending;
        if (current != null && !current.isDone()) {
            return current;
        }
        CompletableFuture<InetSocketAddress> found = new CompletableFuture<>();
        pending = found;
        HostAndPort parsed;
        try {
            parsed = HostAndPort.fromString(text);
            if (!parsed.hasPort()) {
                throw new IllegalArgumentException("no port");
            }
        } catch (IllegalArgumentException e) {
            found.completeExceptionally(new IOException("'" + text + "' is not host:port"));
            return found;
        }
        if (InetAddresses.isInetAddress(parsed.getHost())) {
            found.complete(new InetSocketAddress(InetAddresses.forString(parsed.getHost()), parsed.getPort()));
        } else {
            Thread thread = new Thread(() -> lookUp(parsed, found), "forward-resolve-" + parsed.getHost());
            thread.setDaemon(true);
            thread.start();
        }
        return found;
    }

    private static void lookUp(HostAndPort parsed, CompletableFuture<InetSocketAddress> found) {
        try {
            found.complete(new InetSocketAddress(InetAddress.getByName(parsed.getHost()), parsed.getPort()));
        } catch (UnknownHostException e) {
            found.completeExceptionally(new IOException("there is no host named " + parsed.getHost(), e));
        }
    }
}
