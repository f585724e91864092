package io.talosgateway.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.UnknownHostException;

import org.jspecify.annotations.Nullable;

/** Questions about addresses, which may ask the DNS. Stateless. */
final class Addresses {

    private Addresses() {}

    /** Whether it stands for all addresses of a host. */
    static boolean isAny(String host) {
        try {
            return InetAddress.getByName(host).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** @throws UnknownHostException if there is no such name */
    static boolean isOfThisMachine(String host) throws IOException {
        InetAddress address = InetAddress.getByName(host);
        return address.isAnyLocalAddress() || NetworkInterface.getByInetAddress(address) != null;
    }

    /** Why nobody can listen there at present; null if one can. */
    static @Nullable String whyTaken(String host, int port) throws UnknownHostException {
        InetAddress address = InetAddress.getByName(host);
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return null;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
