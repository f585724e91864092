package io.talosgateway.rest.http.rest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.http.Exchange.Answer;
import io.talosgateway.rest.http.RequestClass;
import org.jspecify.annotations.Nullable;

/**
 * An operation and where it is.
 *
 * @param operation what it asks of its caller
 * @param template its path, with parameters in braces
 * @param segments of the template
 */
record RestRoute(
        Operation operation,
        String method,
        String template,
        RequestClass requestClass,
        Action action,
        List<String> segments) {

    RestRoute(Operation operation, String method, String template, RequestClass requestClass, Action action) {
        this(operation, method, template, requestClass, action, segments(template));
    }

    /** Its name in {@code openapi.yaml}. */
    String operationId() {
        return operation.operationName();
    }

    /** What is done. Throws a {@code GatewayException} or completes with one to have a problem answered. */
    @FunctionalInterface
    interface Action {
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
