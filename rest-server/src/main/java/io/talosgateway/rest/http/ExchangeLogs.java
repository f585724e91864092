package io.talosgateway.rest.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.http.audit.AuditLog;
import io.talosgateway.rest.requestlog.SlowRequests;
import io.talosgateway.rest.stages.StageInterval;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.trace.Tracing;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** Tells the audit log, the log of slow requests and the tracer of an exchange that has ended. Stateless. */
final class ExchangeLogs {

    /** Outcomes of requests that were refused because of who asked. */
    private static final Set<String> REFUSALS =
            Set.of(ErrorCode.UNAUTHENTICATED.text(), ErrorCode.PERMISSION_DENIED.text(), ErrorCode.CLOCK_SKEWED.text());
    /** Outcomes of requests that have changed something, or may have. */
    private static final Set<String> CHANGES =
            Set.of(Answer.OK, Exchange.CLIENT_GONE, ErrorCode.OUTCOME_UNKNOWN.text());

    private static final int MAX_AUDITED = 512;

    private ExchangeLogs() {}

    /** Writes changes and refusals to the audit log. */
    static void audit(Exchange exchange, AuditLog log) {
        String how = exchange.outcome();
        if (exchange.requestClass() != RequestClass.ADMIN && !REFUSALS.contains(how)) {
            return;
        }
        Request request = exchange.request();
        String keyId = exchange.caller().keyId();
        String target = exchange.target();
        AuditLog.Entry entry = new AuditLog.Entry(
                exchange.caller().principal().id(),
                keyId,
                keyId == null ? Authenticator.claimedKey(exchange.header(HttpHeader.AUTHORIZATION.asString())) : null,
                exchange.address(),
                exchange.interfaceName(),
                request.getMethod(),
                shortened(exchange.operation()),
                String.valueOf(shortened(target == null ? request.getHttpURI().getDecodedPath() : target)),
                how,
                exchange.requestId());
        log.add(entry, CHANGES.contains(how) && (exchange.hasWorkBegun() || !Exchange.CLIENT_GONE.equals(how)));
    }

    private static @Nullable String shortened(@Nullable String text) {
        return text == null || text.length() <= MAX_AUDITED ? text : text.substring(0, MAX_AUDITED);
    }

    static void noteIfSlow(Exchange exchange, SlowRequests slow, long nowNanos) {
        if (slow.isSlow(nowNanos - exchange.startedAtNanos(), exchange.waitedNanos())) {
            slow.log(
                    new SlowRequests.Ended(
                            exchange.context(),
                            exchange.startedAtNanos(),
                            nowNanos,
                            exchange.stages(),
                            exchange.requestClass() == RequestClass.GET),
                    () -> description(exchange));
        }
    }

    private static String description(Exchange exchange) {
        String key = exchange.caller().keyId();
        String owner = exchange.owner();
        return "%s %s (%s) from %s%s, %s%s"
                .formatted(
                        exchange.request().getMethod(),
                        LoggedTarget.of(exchange.request().getHttpURI()),
                        exchange.requestClass().text(),
                        exchange.address(),
                        key == null ? "" : " with key " + key,
                        exchange.outcome(),
                        owner == null ? "" : " by host " + owner);
    }

    static void endSpan(Exchange exchange, long nowNanos) {
        Tracing.Received span = exchange.span();
        if (span == null) {
            return;
        }
        Stages stages = exchange.stages();
        int status = exchange.response().getStatus();
        span.end(new Tracing.End(
                nowNanos,
                stages == null
                        ? List.of()
                        : StageInterval.of(stages, exchange.requestClass() == RequestClass.GET, nowNanos),
                span.isRecorded() ? attributes(exchange, status) : Map.of(),
                status >= HttpStatus.INTERNAL_SERVER_ERROR_500));
    }

    private static Map<String, Object> attributes(Exchange exchange, int status) {
        Map<String, Object> attributes = new HashMap<>();
        attributes.put("http.request.method", exchange.request().getMethod());
        attributes.put("http.response.status_code", status);
        attributes.put(
                "url.path", String.valueOf(LoggedTarget.of(exchange.request().getHttpURI())));
        attributes.put("talos.request_id", exchange.requestId());
        attributes.put("talos.outcome", exchange.outcome());
        String operation = exchange.operation();
        if (operation != null) {
            attributes.put("talos.operation", operation);
        }
        return attributes;
    }
}
