package io.talosgateway.rest.http;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers what Jetty refuses before any handler sees it, such as two lengths of a body, at the pace of refusals. Each such answer ends
 * its connection, so that the client's next request takes a new one.
 */
public final class PacedErrors implements Request.Handler {

    /** What it takes to accept, serve and end a connection, about. */
    private static final long CONNECTION_NANOS = 200_000;

    private final Request.Handler errors;
    private final HttpParts parts;

    public PacedErrors(Request.Handler errors, HttpParts parts) {
        this.errors = errors;
        this.parts = parts;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!(request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException)) {
            // A mistake of the gateway: the client is not to wait for it.
            return errors.handle(request, response, callback);
        }
        long waitNanos = parts.refusals().waitNanos(AdmittedHandler.address(request), CONNECTION_NANOS);
        if (waitNanos == 0) {
            return errors.handle(request, response, callback);
        }
        parts.later(waitNanos, callback, () -> errors.handle(request, response, callback));
        return true;
    }
}
