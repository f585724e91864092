package io.talosgateway.rest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of 127.0.0.1 for a program that has to be told its port. It stays bound, so that no other program is given it before the program
 * listens, or while it does not; who asks for this port can have it, as the socket does not listen and allows reuse.
 */
public final class HeldPort implements AutoCloseable {

    private final Socket held = new Socket();

    public HeldPort() throws IOException {
        held.setReuseAddress(true);
        held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    public int number() {
        return held.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
