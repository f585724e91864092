package io.talosgateway.verifier;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.talosgateway.loadgen.http.Connection;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.HttpAnswer;

/** Asks gateways whether they are ready; those of which only the endpoint is known, whether they take connections. For one thread. */
final class ClusterReadiness implements BooleanSupplier, AutoCloseable {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Watch watch;
    private final List<Host> hosts = new ArrayList<>();

    /** @param request empty to see whether it takes connections */
    private record Host(String name, Connection connection, String request) {}

    ClusterReadiness(VerifiedCluster cluster, Watch watch) {
        this.watch = watch;
        for (VerifiedCluster.Gateway gateway : cluster.gateways()) {
            Endpoint endpoint = gateway.ops() == null ? gateway.endpoint() : gateway.ops();
            Connection connection = new Connection(endpoint.address(), PATIENCE_NANOS, new HttpAnswer());
            watch.add(connection);
            String request = gateway.ops() == null
                    ? ""
                    : "GET /health/ready HTTP/1.1\r\n" + endpoint.headers(null) + "Connection: close\r\n\r\n";
            hosts.add(new Host(gateway.name(), connection, request));
        }
    }

    @Override
    public boolean getAsBoolean() {
        return notReady().isEmpty();
    }

    /** The names of those that are not. */
    List<String> notReady() {
        return hosts.stream().filter(host -> !isReady(host)).map(Host::name).toList();
    }

    private static boolean isReady(Host host) {
        try {
            host.connection.open();
            return host.request.isEmpty()
                    || host.connection
                                    .exchange(
                                            new ByteBuffer[] {StandardCharsets.US_ASCII.encode(host.request)},
                                            PATIENCE_NANOS)
                                    .status()
                            == 200;
        } catch (IOException e) {
            return false;
        } finally {
            host.connection.close();
        }
    }

    @Override
    public void close() {
        hosts.forEach(host -> watch.remove(host.connection));
    }
}
