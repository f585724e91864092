package io.talosgateway.rest.http;

import io.talosgateway.rest.requestlog.AccessLog;
import io.talosgateway.rest.trace.RequestId;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/** Tells the access log of all requests of a port, also of those that Jetty refuses before any handler sees them. */
final class AccessRequestLog implements RequestLog {

    private static final int MAX_USER_AGENT = 200;
    private static final double NANOS_PER_MS = 1e6;

    private final AccessLog log;

    AccessRequestLog(AccessLog log) {
        this.log = log;
    }

    @Override
    public void log(Request request, Response response) {
        Exchange exchange = Exchange.of(request);
        int status = response.getStatus();
        log.add(new AccessLog.Entry(
                exchange == null ? response.getHeaders().get(RequestId.HEADER) : exchange.requestId(),
                exchange == null ? null : exchange.traceId(),
                exchange == null ? null : exchange.interfaceName(),
                AdmittedHandler.address(request),
                exchange == null ? null : exchange.caller().keyId(),
                request.getMethod(),
                LoggedTarget.of(request.getHttpURI()),
                exchange == null ? null : exchange.operation(),
                status == 0 ? null : status,
                exchange == null ? null : exchange.outcome(),
                Request.getContentBytesRead(request),
                Response.getContentBytesWritten(response),
                NanoTime.since(request.getBeginNanoTime()) / NANOS_PER_MS,
                exchange == null ? null : exchange.owner(),
                shortened(request.getHeaders().get(HttpHeader.USER_AGENT))));
    }

    private static @Nullable String shortened(@Nullable String text) {
        return text == null || text.length() <= MAX_USER_AGENT ? text : text.substring(0, MAX_USER_AGENT);
    }
}
