package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.apache.zookeeper.KeeperException;

/** Calls Curator, whose methods throw {@link Exception}. Stateless. */
final class ZooKeeperErrors {

    private ZooKeeperErrors() {}

    /** A call of Curator. */
    @FunctionalInterface
    interface CuratorCall<T> {
        @SuppressWarnings("checkstyle:IllegalThrows")
        T call() throws Exception;
    }

    /**
     * @throws KeeperException if ZooKeeper answered that the call is not possible, such as a node that exists
     * @throws GatewayException {@code COORDINATION_UNAVAILABLE} if it did not answer
     */
    static <T> T call(CuratorCall<T> call) throws KeeperException {
        try {
            return call.call();
        } catch (KeeperException.NodeExistsException
                | KeeperException.NoNodeException
                | KeeperException.BadVersionException
                | KeeperException.NotEmptyException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unavailable(e);
        } catch (Exception e) {
            throw unavailable(e);
        }
    }

    static GatewayException unavailable(Throwable cause) {
        return new GatewayException(
                ErrorCode.COORDINATION_UNAVAILABLE,
                "ZooKeeper did not answer (" + cause.getMessage()
                        + "), so that topics and keys cannot be changed right now; puts and gets go on. Try again shortly.",
                cause);
    }

    /** For an answer that the order of our calls rules out. */
    static GatewayException unexpected(KeeperException cause) {
        return unavailable(cause);
    }

    /** Waits for what the start needs. */
    static void await(CountDownLatch loaded, Duration timeout, String what) throws IOException {
        try {
            if (!loaded.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException("ZooKeeper did not give " + what + " within " + timeout.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while loading " + what, e);
        }
    }
}
