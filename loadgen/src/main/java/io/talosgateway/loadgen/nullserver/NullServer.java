package io.talosgateway.loadgen.nullserver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.talosgateway.loadgen.http.RequestBytes;

/**
 * An HTTP server that does next to nothing: it reads requests and answers success at once. What a load generator reaches
 * against it is the most that it can measure on this host. On loopback only. A few threads drive all connections.
 */
final class NullServer implements AutoCloseable {

    private static final int BUFFER_BYTES = 256 * 1024;
    private static final int BACKLOG = 4096;

    private final ServerSocketChannel server;
    private final List<Loop> loops = new ArrayList<>();
    private final NullAnswers answers;

    /**
     * Listens and serves.
     *
     * @param port 0 for one that is free
     * @param bytesOfGet of the body of an answer to a get
     * @throws IOException if it cannot listen there
     */
    NullServer(int port, int threads, int bytesOfGet) throws IOException {
        answers = new NullAnswers(bytesOfGet);
        server = ServerSocketChannel.open();
        try {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
            server.configureBlocking(false);
            for (int number = 0; number < threads; number++) {
                loops.add(new Loop());
            }
        } catch (IOException e) {
            close();
            throw e;
        }
        loops.get(0).register(server);
        for (Loop loop : loops) {
            Thread thread = new Thread(loop, "null-server");
            thread.setDaemon(true);
            thread.start();
        }
    }

    int port() {
        return server.socket().getLocalPort();
    }

    @Override
    public void close() {
        closeQuietly(server);
        loops.forEach(Loop::close);
    }

    private static void closeQuietly(AutoCloseable channel) {
        try {
            channel.close();
        } catch (Exception e) {
            // It is not used any more.
        }
    }

    /** A connection, and what has come of the request under way. */
    private static final class Peer {
        private final NullRequest request = new NullRequest();
        private ByteBuffer[] answer = {};
    }

    /** A thread and its connections. */
    private final class Loop implements Runnable {

        private final Selector selector = Selector.open();
        private final Queue<SelectableChannel> joining = new ConcurrentLinkedQueue<>();
        private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
        private int accepted;

        Loop() throws IOException {}

        void register(SelectableChannel channel) {
            joining.add(channel);
            selector.wakeup();
        }

        @Override
        public void run() {
            try {
                while (selector.isOpen()) {
                    selector.select(this::ready);
                    for (SelectableChannel next = joining.poll(); next != null; next = joining.poll()) {
                        boolean accepts = next instanceof ServerSocketChannel;
                        next.register(selector, accepts ? SelectionKey.OP_ACCEPT : SelectionKey.OP_READ, new Peer());
                    }
                }
            } catch (ClosedSelectorException e) {
                // The end.
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private void ready(SelectionKey key) {
            try {
                if (key.isAcceptable()) {
                    accept();
                } else {
                    serve((SocketChannel) key.channel(), key, (Peer) key.attachment());
                }
            } catch (IOException e) {
                closeQuietly(key.channel());
            }
        }

        private void accept() throws IOException {
            for (SocketChannel next = server.accept(); next != null; next = server.accept()) {
                next.configureBlocking(false);
                next.setOption(StandardSocketOptions.TCP_NODELAY, true);
                loops.get(accepted++ % loops.size()).register(next);
            }
        }

        private void serve(SocketChannel channel, SelectionKey key, Peer peer) throws IOException {
            if (key.isWritable()) {
                write(channel, key, peer);
                return;
            }
            if (channel.read(in.clear()) < 0) {
                channel.close();
                return;
            }
            in.flip();
            // One at a time: a client that sends a second before its answer is none of ours.
            if (peer.request.take(in)) {
                if (in.hasRemaining()) {
                    throw new IOException("a request before the answer to the one before");
                }
                peer.answer = answers.to(peer.request);
                peer.request.reset();
                write(channel, key, peer);
            }
        }

        private void write(SocketChannel channel, SelectionKey key, Peer peer) throws IOException {
            channel.write(peer.answer);
            int wanted = RequestBytes.hasMore(peer.answer) ? SelectionKey.OP_WRITE : SelectionKey.OP_READ;
            if (key.interestOps() != wanted) {
                key.interestOps(wanted);
            }
        }

        void close() {
            selector.keys().forEach(key -> closeQuietly(key.channel()));
            closeQuietly(selector);
        }
    }
}
