package io.talosgateway.rest.http.rest;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers what Jetty refuses before any handler sees it, such as headers that are too large, as a problem. */
public final class ProblemErrorHandler implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        if (request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException refusal) {
            status = refusal.getCode();
        }
        Object message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
        String reason = message == null ? HttpStatus.getMessage(status) : message.toString();
        Problem problem = status < 500 || status == HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505
                ? Problem.of(
                        status,
                        new GatewayException(
                                ErrorCode.MALFORMED_REQUEST,
                                "The request is not HTTP that this gateway takes: " + reason + "."))
                : Problem.of(
                        status,
                        new GatewayException(
                                ErrorCode.INTERNAL, "The gateway made a mistake; its operator finds it in the log."));
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.CONTENT_TYPE);
        response.write(true, Json.write(problem).toByteBuffer(), callback);
        return true;
    }
}
