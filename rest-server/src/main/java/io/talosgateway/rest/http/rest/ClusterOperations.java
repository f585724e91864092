package io.talosgateway.rest.http.rest;

import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.RequestClass;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;

/** The cluster and the host that is asked, for those who run them. */
public final class ClusterOperations {

    private static final HttpField NO_CACHE = new HttpField(HttpHeader.CACHE_CONTROL, "no-store");

    private final Supplier<ClusterStatus> cluster;
    private final HostFigures figures;

    /**
     * @param cluster the cluster as this host knows it; may take milliseconds
     * @param registry what this host counts
     */
    public ClusterOperations(
            Supplier<ClusterStatus> cluster, String host, CollectorRegistry registry, InstantSource wallClock) {
        this.cluster = cluster;
        this.figures = new HostFigures(host, registry, wallClock);
    }

    List<RestRoute> routes() {
        return List.of(
                route(Operation.REST_DESCRIBE_CLUSTER, "/v1/cluster", cluster),
                route(Operation.REST_DESCRIBE_HOST, "/v1/host", figures::read));
    }

    private static RestRoute route(Operation operation, String path, Supplier<?> json) {
        return new RestRoute(operation, "GET", path, RequestClass.DESCRIBE, call -> answer(call, json));
    }

    private static CompletableFuture<Answer> answer(RestCall call, Supplier<?> json) {
        call.allowQuery(Set.of());
        return call.exchange()
                .work(
                        false,
                        () -> Answer.of(200, Json.CONTENT_TYPE, Json.write(json.get()))
                                .withHeaders(List.of(NO_CACHE)));
    }
}
