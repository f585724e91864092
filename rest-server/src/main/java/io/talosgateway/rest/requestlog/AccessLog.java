package io.talosgateway.rest.requestlog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import org.jspecify.annotations.Nullable;

/** Is told of each request that has ended. Never blocks. Any thread. */
@FunctionalInterface
public interface AccessLog {

    /** Nobody wants to know. */
    AccessLog NONE = entry -> {};

    void add(Entry entry);

    /**
     * A request. What there is none of is null.
     *
     * @param requestId in the answer, too
     * @param traceId trace that the request is in
     * @param interfaceName {@code rest}, {@code talos}, or {@code host} for a request that another host handed on; null if Jetty has
     *     refused it
     * @param address of the client, or of the proxy before it; of a host, its address
     * @param key that the client has proved to have
     * @param method of HTTP; of a host, the name of the call
     * @param target path and query, without values that are nobody's business
     * @param operation name of what was asked for
     * @param status of HTTP
     * @param outcome {@code ok}, the code of the error, or {@code client-gone}
     * @param bytesIn of the body
     * @param bytesOut of the answer's body
     * @param durationMs from the first byte of the request until its answer was written
     * @param owner host that it was forwarded to
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonPropertyOrder({"requestId", "traceId", "interface"})
    record Entry(
            @Nullable String requestId,
            @Nullable String traceId,
            @JsonProperty("interface") @Nullable String interfaceName,
            @Nullable String address,
            @Nullable String key,
            @Nullable String method,
            @Nullable String target,
            @Nullable String operation,
            @Nullable Integer status,
            @Nullable String outcome,
            long bytesIn,
            long bytesOut,
            double durationMs,
            @Nullable String owner,
            @Nullable String userAgent) {}
}
