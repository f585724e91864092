package io.talosgateway.rest.http.rest;

import java.util.regex.Pattern;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.HttpServer;
import io.talosgateway.rest.trace.RequestId;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/** Answers what Jetty refuses before any handler sees it, such as headers that are too large, as a problem. */
public final class ProblemErrorHandler implements Request.Handler {

    private static final String HEAD_LIMIT =
            "the request line and the headers may have " + HttpServer.MAX_HEAD_BYTES + " bytes together.";
    private static final Pattern CLASS_NAME = Pattern.compile("\\w\\.\\w+\\.\\w|Exception|Error\\b");

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        if (request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException refusal) {
            status = refusal.getCode();
        }
        ErrorCode code = code(status);
        GatewayException reason = new GatewayException(code, detail(code, request));
        // Jetty has chosen the status; several have the code malformed-request.
        String requestId = RequestId.of(request.getHeaders().get(RequestId.HEADER));
        ProblemJson problem = ProblemJson.of(status, reason, requestId);
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, ProblemJson.CONTENT_TYPE);
        response.getHeaders().put(HttpServer.NO_SNIFFING);
        response.getHeaders().put(RequestId.HEADER, requestId);
        response.write(true, Json.write(problem).toByteBuffer(), callback);
        return true;
    }

    private static ErrorCode code(int status) {
        return switch (status) {
            case HttpStatus.REQUEST_TIMEOUT_408 -> ErrorCode.REQUEST_TIMEOUT;
            case HttpStatus.PAYLOAD_TOO_LARGE_413 -> ErrorCode.REQUEST_TOO_LARGE;
            case HttpStatus.URI_TOO_LONG_414 -> ErrorCode.URI_TOO_LONG;
            case HttpStatus.UNSUPPORTED_MEDIA_TYPE_415 -> ErrorCode.UNSUPPORTED_MEDIA_TYPE;
            case HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 -> ErrorCode.HEADERS_TOO_LARGE;
            case HttpStatus.NOT_IMPLEMENTED_501 -> ErrorCode.NOT_IMPLEMENTED;
            case HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505 -> ErrorCode.HTTP_VERSION_NOT_SUPPORTED;
            default -> status < 500 ? ErrorCode.MALFORMED_REQUEST : ErrorCode.INTERNAL;
        };
    }

    private static String detail(ErrorCode code, Request request) {
        return switch (code) {
            case URI_TOO_LONG -> "The URI of the request is too long: " + HEAD_LIMIT;
            case HEADERS_TOO_LARGE -> "The headers of the request are too large: " + HEAD_LIMIT;
            case HTTP_VERSION_NOT_SUPPORTED -> "This gateway speaks HTTP/1.1 and HTTP/1.0.";
            case INTERNAL -> "The gateway made a mistake; its operator finds it in the log.";
            default -> "The request is not HTTP that this gateway takes" + reason(request) + ".";
        };
    }

    /** Jetty's own words, unless they name its classes or do not help the client. */
    private static String reason(Request request) {
        if (request.getHttpURI().hasViolation(UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR)) {
            return ": its path holds a name with a slash (%2F), and names of topics and groups have none";
        }
        Object message = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
        String text = message == null ? "" : message.toString();
        return text.isEmpty() || CLASS_NAME.matcher(text).find() ? "" : ": " + text;
    }
}
