package io.talosgateway.rest.coordination.zookeeper;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.zookeeper.KeeperException;

/**
 * Has many requests on their way to ZooKeeper at the same time, where one after the other would wait for an answer each. They are
 * carried out in order. Safe for use by any thread; blocks.
 */
final class RequestPipeline {

    private static final int AT_ONCE = 5_000;
    private static final long ANSWER_TIMEOUT_SECONDS = 30;

    private final CuratorFramework client;

    RequestPipeline(CuratorFramework client) {
        this.client = client;
    }

    /** Sends a request with its callback. */
    private interface Request {
        @SuppressWarnings("checkstyle:IllegalThrows")
        void send(BackgroundCallback callback) throws Exception;
    }

    /**
     * Reads nodes.
     *
     * @param found told of each node that exists, in order, with its data and what ZooKeeper knows of it
     * @throws io.talosgateway.rest.errors.GatewayException {@code COORDINATION_UNAVAILABLE} if any cannot be read
     */
    <K> void read(Collection<K> keys, Function<K, String> path, BiConsumer<K, CuratorEvent> found) {
        each(
                keys,
                key -> send(callback -> client.getData().inBackground(callback).forPath(path.apply(key))),
                found);
    }

    /** The same for the names of the children. */
    <K> void list(Collection<K> keys, Function<K, String> path, BiConsumer<K, CuratorEvent> found) {
        each(
                keys,
                key -> send(
                        callback -> client.getChildren().inBackground(callback).forPath(path.apply(key))),
                found);
    }

    /** Creates nodes; those that exist stay as they are. */
    <K> void create(Collection<K> keys, Function<K, String> path, Function<K, byte[]> data) {
        each(
                keys,
                key -> send(
                        callback -> client.create().inBackground(callback).forPath(path.apply(key), data.apply(key))),
                (key, done) -> {});
    }

    /** Deletes nodes that have no children; those that do not exist are none. */
    void delete(Collection<String> paths) {
        each(
                paths,
                path -> send(callback -> client.delete().inBackground(callback).forPath(path)),
                (key, done) -> {});
    }

    private static <K> void each(
            Collection<K> keys,
            Function<K, CompletableFuture<CuratorEvent>> send,
            BiConsumer<K, CuratorEvent> answered) {
        Iterator<K> rest = keys.iterator();
        while (rest.hasNext()) {
            List<K> part = new ArrayList<>();
            List<CompletableFuture<CuratorEvent>> answers = new ArrayList<>();
            while (rest.hasNext() && part.size() < AT_ONCE) {
                K key = rest.next();
                part.add(key);
                answers.add(send.apply(key));
            }
            for (int index = 0; index < part.size(); index++) {
                CuratorEvent answer = await(answers.get(index));
                if (answer.getResultCode() == KeeperException.Code.OK.intValue()) {
                    answered.accept(part.get(index), answer);
                }
            }
        }
    }

    private static CompletableFuture<CuratorEvent> send(Request request) {
        CompletableFuture<CuratorEvent> answer = new CompletableFuture<>();
        try {
            request.send((curator, event) -> {
                KeeperException.Code code = KeeperException.Code.get(event.getResultCode());
                if (code == KeeperException.Code.OK
                        || code == KeeperException.Code.NONODE
                        || code == KeeperException.Code.NODEEXISTS) {
                    answer.complete(event);
                } else {
                    answer.completeExceptionally(KeeperException.create(code, event.getPath()));
                }
            });
        } catch (Exception e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private static CuratorEvent await(CompletableFuture<CuratorEvent> answer) {
        try {
            return answer.get(ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw ZooKeeperErrors.unavailable(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw ZooKeeperErrors.unavailable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ZooKeeperErrors.unavailable(e);
        }
    }
}
