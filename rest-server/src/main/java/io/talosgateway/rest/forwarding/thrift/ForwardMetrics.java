package io.talosgateway.rest.forwarding.thrift;

import java.util.concurrent.CompletionException;
import java.util.function.DoubleSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.rest.metrics.LatencyHistogram;
import org.jspecify.annotations.Nullable;

/** What is counted and timed of requests to other hosts, by host. Safe for use by any thread. */
final class ForwardMetrics {

    private static final String OK = "ok";
    private static final String CANCELLED = "cancelled";

    private final Counter requests;
    private final LatencyHistogram wait;
    private final LatencyHistogram seconds;
    private final Gauge queued;
    private final Gauge queuedBytes;
    private final Gauge inFlight;
    private final Gauge connections;
    private final Gauge backOff;

    ForwardMetrics(CollectorRegistry registry) {
        requests = Counter.build("talos_forward_requests_total", "Requests to other hosts, by kind and outcome.")
                .labelNames("host", "kind", "outcome")
                .register(registry);
        wait = LatencyHistogram.register(
                registry,
                "talos_forward_wait_seconds",
                "Time that a request waited for a connection to its host.",
                "host");
        seconds = LatencyHistogram.register(
                registry, "talos_forward_seconds", "Time from sending a request until its answer came.", "host");
        queued = gauge(registry, "talos_forward_queued_requests", "Requests that wait for a connection to their host.");
        queuedBytes = gauge(registry, "talos_forward_queued_bytes", "Bytes that the requests in the queue hold.");
        inFlight = gauge(registry, "talos_forward_in_flight", "Requests that were sent and are not answered.");
        connections = gauge(registry, "talos_forward_connections", "Connections to the host.");
        backOff = gauge(
                registry,
                "talos_forward_back_off",
                "How many of the ways to the host are left alone because it could not be reached.");
    }

    private static Gauge gauge(CollectorRegistry registry, String name, String help) {
        return Gauge.build(name, help).labelNames("host").register(registry);
    }

    ForHost forHost(String host) {
        return new ForHost(host);
    }

    /** The part for one host. */
    final class ForHost {

        private final String host;
        private final LatencyHistogram.Child waitOfHost;
        private final LatencyHistogram.Child secondsOfHost;
        private volatile boolean removed;

        private ForHost(String host) {
            this.host = host;
            this.waitOfHost = wait.labels(host);
            this.secondsOfHost = seconds.labels(host);
        }

        /** Shows what the host takes at present. */
        void watch(RemoteHost remote) {
            show(queued, remote::queued);
            show(queuedBytes, remote::queuedBytes);
            show(inFlight, remote::inFlight);
            show(connections, remote::openConnections);
            show(backOff, remote::backingOff);
        }

        private void show(Gauge gauge, DoubleSupplier value) {
            gauge.setChild(Gauges.child(value), host);
        }

        void waited(long nanos) {
            waitOfHost.observe(nanos);
        }

        void answered(long nanos) {
            secondsOfHost.observe(nanos);
        }

        /** @param failure null if there is a result */
        void outcome(CallKind kind, @Nullable Throwable failure) {
            if (!removed) {
                requests.labels(host, kind.text(), text(failure)).inc();
            }
        }

        private static String text(@Nullable Throwable failure) {
            if (failure == null) {
                return OK;
            }
            Throwable reason = failure instanceof CompletionException ? failure.getCause() : failure;
            return reason instanceof GatewayException known ? known.code().text() : CANCELLED;
        }

        /** Shows the host no more. */
        void remove() {
            removed = true;
            for (CallKind kind : CallKind.values()) {
                requests.remove(host, kind.text(), OK);
                requests.remove(host, kind.text(), CANCELLED);
                for (ErrorCode code : ErrorCode.values()) {
                    requests.remove(host, kind.text(), code.text());
                }
            }
            wait.remove(host);
            seconds.remove(host);
            queued.remove(host);
            queuedBytes.remove(host);
            inFlight.remove(host);
            connections.remove(host);
            backOff.remove(host);
        }
    }
}
