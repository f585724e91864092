package io.talosgateway.rest.http;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** Reads the query of a request. Stateless. */
public final class Queries {

    private Queries() {}

    /**
     * The parameters of the query; empty if there is none.
     *
     * @throws GatewayException {@code MALFORMED_REQUEST} if they are not encoded as they must be, such as {@code %zz}
     */
    public static Fields of(Request request) {
        try {
            return Request.extractQueryParameters(request);
        } catch (RuntimeException e) {
            // Jetty throws exceptions of several kinds, depending on what is wrong.
            throw new GatewayException(
                    ErrorCode.MALFORMED_REQUEST,
                    "The query of the request is not valid; it must be percent-encoded UTF-8.");
        }
    }
}
