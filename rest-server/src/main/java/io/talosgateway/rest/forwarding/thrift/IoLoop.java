package io.talosgateway.rest.forwarding.thrift;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

import io.talosgateway.rest.hostprotocol.TlsChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that serves the connections to all hosts. Nothing that runs here may block or take long: a read or a write
 * moves {@value #CHUNK_BYTES} bytes at most, then it is another connection's turn; results are decoded and answers given by
 * other threads. What connections and links hold is confined to this thread, so that it needs no locks.
 */
final class IoLoop implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(IoLoop.class);
    private static final int CHUNK_BYTES = 128 * 1024;
    private static final long STOP_MS = 10_000;

    private final Selector selector;
    private final Thread thread;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Whether the selector has been woken for the tasks that there are. */
    private final AtomicBoolean woken = new AtomicBoolean();

    private final TlsChannel.Buffers tlsBuffers = new TlsChannel.Buffers();
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private volatile boolean closed;

    /** What is registered with the selector. */
    interface Channel {

        /** Connects, reads or writes as far as it goes without waiting. */
        void ready();

        /** Ends after a mistake of ours. */
        void fail(RuntimeException mistake);
    }

    IoLoop(String name) throws IOException {
        this.selector = Selector.open();
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Has the thread run a task soon, in the order of the calls; after {@link #close} perhaps never. */
    void execute(Runnable task) {
        tasks.add(task);
        if (Thread.currentThread() != thread && woken.compareAndSet(false, true)) {
            selector.wakeup();
        }
    }

    /** On the thread only. */
    SelectionKey register(SocketChannel socket, int operations, Channel channel) throws IOException {
        return socket.register(selector, operations, channel);
    }

    /** An empty buffer for one transfer; on the thread only, and not to be kept. */
    ByteBuffer chunk() {
        return chunk.clear();
    }

    /** What its connections over TLS share. */
    TlsChannel.Buffers tlsBuffers() {
        return tlsBuffers;
    }

    private void run() {
        try {
            while (!closed) {
                selector.select(this::ready, 0);
                woken.set(false);
                runTasks();
            }
            runTasks();
            selector.close();
        } catch (IOException e) {
            log.error("Forwarding has ended: its selector failed", e);
        }
    }

    private void ready(SelectionKey key) {
        Channel channel = (Channel) key.attachment();
        try {
            channel.ready();
        } catch (RuntimeException e) {
            log.error("A connection to another host failed in an unexpected way", e);
            channel.fail(e);
        }
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                log.error("Forwarding made a mistake", e);
            }
        }
    }

    /** Runs the tasks that are there and ends. Returns when it has, so that what they need can be closed next. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(STOP_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
