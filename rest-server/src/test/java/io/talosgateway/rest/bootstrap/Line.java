package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a port on loopback that can be cut: then connections end, and new ones end at once. */
final class Line implements AutoCloseable {

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private boolean cut;

    Line(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    synchronized void cut() {
        cut = true;
        open.forEach(Line::end);
        open.clear();
    }

    synchronized void heal() {
        cut = false;
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "line");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                connect(server.accept());
            } catch (IOException e) {
                // Closed, or the target does not listen: whoever connected sees the end.
            }
        }
    }

    private synchronized void connect(Socket near) throws IOException {
        if (cut) {
            end(near);
            return;
        }
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(near);
        open.add(far);
        daemon(() -> pump(near, far));
        daemon(() -> pump(far, near));
    }

    private static void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // The end of the other one tells.
        } finally {
            end(from);
            end(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
