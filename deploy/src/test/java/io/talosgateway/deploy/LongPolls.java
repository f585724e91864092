package io.talosgateway.deploy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Long polls of many readers that follow all partitions of a topic, all by one thread. A poll that waits needs a connection
 * of its own; the JDK's HTTP client takes so much of the machine for thousands of them that little is left for the gateway.
 */
final class LongPolls implements AutoCloseable {

    /** Longer than the test: a poll that brings nothing has slept through a message. */
    private static final String WAIT = "540s";

    /** Hears every answer, in the order of each reader's polls of a partition; says where to go on. */
    @FunctionalInterface
    interface Listener {
        long answered(int reader, int partition, long offset, byte[] body) throws IOException;
    }

    private final String topic;
    private final int partitions;
    private final Listener listener;
    private final InetSocketAddress address;
    private final String authorization;
    private final Selector selector;
    private final Thread thread;
    private final Queue<Integer> newReaders = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private final AtomicInteger answers = new AtomicInteger();

    LongPolls(GatewayProcess gateway, String topic, int partitions, Listener listener) throws IOException {
        this.topic = topic;
        this.partitions = partitions;
        this.listener = listener;
        URI endpoint = URI.create(gateway.endpoint());
        this.address = new InetSocketAddress(endpoint.getHost(), endpoint.getPort());
        String credentials = gateway.key().id() + ":" + gateway.key().secret();
        this.authorization =
                "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        this.selector = Selector.open();
        this.thread = new Thread(this::run, "long-polls");
        thread.start();
    }

    /** Begins to follow all partitions from their start. */
    void addReader(int reader) {
        newReaders.add(reader);
        selector.wakeup();
    }

    /** Fails when a poll is answered with an error, or the listener throws; never completes otherwise. */
    CompletableFuture<Void> failure() {
        return failure;
    }

    /** Polls that were answered. */
    int answers() {
        return answers.get();
    }

    private void run() {
        try {
            while (selector.isOpen()) {
                selector.select();
                for (Integer reader = newReaders.poll(); reader != null; reader = newReaders.poll()) {
                    for (int partition = 0; partition < partitions; partition++) {
                        new Connection(reader, partition);
                    }
                }
                for (SelectionKey key : selector.selectedKeys()) {
                    ((Connection) key.attachment()).read();
                }
                selector.selectedKeys().clear();
            }
        } catch (java.nio.channels.ClosedSelectorException e) {
            // The end.
        } catch (Exception | AssertionError e) {
            failure.completeExceptionally(e);
        }
    }

    /** The polls of one reader of one partition. */
    private final class Connection {

        private final int reader;
        private final int partition;
        private final SocketChannel channel;
        private final HttpAnswer answer = new HttpAnswer();
        private long offset;

        Connection(int reader, int partition) throws IOException {
            this.reader = reader;
            this.partition = partition;
            this.channel = SocketChannel.open(address);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
            poll();
        }

        private void poll() throws IOException {
            ByteBuffer request = StandardCharsets.US_ASCII.encode(
                    "GET /v1/topics/%s/partitions/%d/messages?offset=%d&wait=%s HTTP/1.1\r\nHost: gateway\r\nAuthorization: %s\r\n\r\n"
                            .formatted(topic, partition, offset, WAIT, authorization));
            // Far less than the socket's buffer, which the gateway has emptied when it answered.
            channel.write(request);
            if (request.hasRemaining()) {
                throw new IOException("a request of " + request.limit() + " bytes does not fit");
            }
        }

        void read() throws IOException {
            if (!answer.readFrom(channel)) {
                return;
            }
            answers.incrementAndGet();
            if (answer.status() != 200) {
                throw new AssertionError("reader %d, partition %d: %d %s"
                        .formatted(
                                reader, partition, answer.status(), new String(answer.body(), StandardCharsets.UTF_8)));
            }
            offset = listener.answered(reader, partition, offset, answer.body());
            poll();
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
        thread.join();
    }
}
