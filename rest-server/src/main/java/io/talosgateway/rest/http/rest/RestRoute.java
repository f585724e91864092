package io.talosgateway.rest.http.rest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.http.Exchange.Answer;
import io.talosgateway.rest.http.RequestClass;
import org.jspecify.annotations.Nullable;

/**
 * An operation and where it is.
 *
 * @param operationId its name in {@code openapi.yaml}
 * @param template its path, with parameters in braces
 * @param open whether it needs no credentials
 * @param segments of the template
 */
record RestRoute(
        String operationId,
        String method,
        String template,
        boolean open,
        RequestClass requestClass,
        Operation operation,
        List<String> segments) {

    RestRoute(
            String operationId,
            String method,
            String template,
            boolean open,
            RequestClass requestClass,
            Operation operation) {
        this(operationId, method, template, open, requestClass, operation, segments(template));
    }

    /** What is done. Throws a {@code GatewayException} or completes with one to have a problem answered. */
    @FunctionalInterface
    interface Operation {
        CompletableFuture<Answer> invoke(RestCall call);
    }

    /** The values of the path's parameters if the path is of this route, else null. */
    @Nullable
    Map<String, String> match(List<String> path) {
        if (segments.size() != path.size()) {
            return null;
        }
        Map<String, String> parameters = new HashMap<>();
        for (int index = 0; index < segments.size(); index++) {
            String segment = segments.get(index);
            if (segment.startsWith("{")) {
                parameters.put(segment.substring(1, segment.length() - 1), path.get(index));
            } else if (!segment.equals(path.get(index))) {
                return null;
            }
        }
        return parameters;
    }

    static List<String> segments(String path) {
        return path.equals("/") ? List.of() : List.of(path.substring(1).split("/", -1));
    }
}
