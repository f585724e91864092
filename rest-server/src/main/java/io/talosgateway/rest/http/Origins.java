package io.talosgateway.rest.http;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;

/** Refuses changes that a browser asks for in the name of a page of another host. Stateless. */
final class Origins {

    private static final Set<String> SAFE_METHODS =
            Set.of(HttpMethod.GET.asString(), HttpMethod.HEAD.asString(), HttpMethod.OPTIONS.asString());

    private Origins() {}

    /**
     * Checks the header {@code Origin}, which only browsers send.
     *
     * @param allowed pages that may change something besides those of this host, such as {@code https://console.example}
     * @throws GatewayException {@code PERMISSION_DENIED} if another page asks for a change
     */
    static void check(Request request, Set<String> allowed) {
        List<String> origins = request.getHeaders().getValuesList(HttpHeader.ORIGIN);
        if (origins.isEmpty() || SAFE_METHODS.contains(request.getMethod())) {
            return;
        }
        String origin = Objects.requireNonNullElse(origins.get(0), "").toLowerCase(Locale.ROOT);
        if (origins.size() > 1 || !(allowed.contains(origin) || isThisHost(origin, request))) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "Pages of '%s' may not change anything here; http.allowed-origins permits it."
                            .formatted(String.join(", ", origins)));
        }
    }

    private static boolean isThisHost(String origin, Request request) {
        int end = origin.indexOf("://");
        String host = request.getHeaders().get(HttpHeader.HOST);
        if (end < 0 || host == null) {
            return false;
        }
        String defaultPort = origin.startsWith("https:") ? ":443" : ":80";
        return without(defaultPort, origin.substring(end + 3))
                .equals(without(defaultPort, host.toLowerCase(Locale.ROOT)));
    }

    private static String without(String port, String authority) {
        return authority.endsWith(port) ? authority.substring(0, authority.length() - port.length()) : authority;
    }
}
