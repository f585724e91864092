package io.talosgateway.rest.http.rest;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Takes the place of {@link RestHandler} while that one is not made yet: refuses every request. Safe for use by any thread. */
public final class StartingHandler implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        GatewayException reason =
                new GatewayException(ErrorCode.STARTING, "This host is still starting; try again shortly.");
        response.setStatus(reason.code().httpStatus());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemJson.CONTENT_TYPE);
        response.getHeaders().put(HttpHeader.RETRY_AFTER, reason.retryAfterSeconds());
        response.write(true, Json.write(ProblemJson.of(reason, null)).toByteBuffer(), callback);
        return true;
    }
}
