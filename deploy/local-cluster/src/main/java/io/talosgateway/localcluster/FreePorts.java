package io.talosgateway.localcluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * Finds ports for the hosts. They are below those that systems give to outgoing connections: a connection of another
 * program would else take the port of a host while the host is down. The range begins at a random place, so that two
 * clusters that are made at once seldom choose the same.
 */
final class FreePorts {

    private static final int FIRST = 20_000;
    private static final int COUNT = 10_000;

    private final IntPredicate isFree;
    private final Set<Integer> taken;
    private final int start;
    private int tried;

    /** @param taken those that are given already */
    FreePorts(Set<Integer> taken, RandomGenerator random, IntPredicate isFree) {
        this.taken = taken;
        this.isFree = isFree;
        this.start = random.nextInt(COUNT);
    }

    int next() {
        while (tried < COUNT) {
            int port = FIRST + (start + tried) % COUNT;
            tried++;
            if (!taken.contains(port) && isFree.test(port)) {
                return port;
            }
        }
        throw new ClusterFailure("No port from %d to %d is free".formatted(FIRST, FIRST + COUNT - 1));
    }

    /** Whether a server could listen at a port of loopback now. */
    static boolean isFree(int port) {
        return isFree(InetAddress.getLoopbackAddress().getHostAddress(), port);
    }

    /** Whether a server could listen there now. */
    static boolean isFree(String address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
