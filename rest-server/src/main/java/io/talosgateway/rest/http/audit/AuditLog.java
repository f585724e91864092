package io.talosgateway.rest.http.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** Is told of each change, and of each request that was refused because of who asked. Never blocks. Any thread. */
@FunctionalInterface
public interface AuditLog {

    /** Nobody wants to know. */
    AuditLog NONE = (entry, changed) -> {};

    /** @param changed whether the request has changed something, or may have */
    void add(Entry entry, boolean changed);

    /**
     * A request.
     *
     * @param principal who asked, as far as that was proved
     * @param key that proved it; null without one
     * @param claimedKey that the request named and did not prove to have
     * @param address of the client, or of the proxy before it
     * @param operation its name; null if the request was refused before that was known
     * @param target path of what it was about, or what was made
     * @param outcome {@code ok}, the code of the error, or {@code client-gone} if the client did not wait for the answer: then a
     *     change may or may not be made
     * @param requestId in the answer, too
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Entry(
            String principal,
            @Nullable String key,
            @Nullable String claimedKey,
            String address,
            String interfaceName,
            String method,
            @Nullable String operation,
            String target,
            String outcome,
            String requestId) {}
}
