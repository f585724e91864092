package io.talosgateway.rest.http.rest;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.http.Answer;
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
        List<Segment> segments) {

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

    /** A part of a path: itself, or the name of a parameter. */
    record Segment(String text, boolean isParameter) {

        private boolean matches(String path, int from, int end) {
            return isParameter || (end - from == text.length() && path.startsWith(text, from));
        }
    }

    /** A path that is of a route. What is not asked for is not copied. */
    record Match(RestRoute route, String path) {

        /** The value of a parameter, which the route must have. */
        String parameter(String name) {
            int from = 1;
            for (Segment segment : route.segments) {
                int end = endOfSegment(path, from);
                if (segment.isParameter && segment.text.equals(name)) {
                    return path.substring(from, end);
                }
                from = end + 1;
            }
            throw new IllegalStateException("the route has no parameter " + name);
        }
    }

    /** Null if the path is not of this route. */
    @Nullable
    Match match(String path) {
        if (segments.isEmpty() || path.equals("/")) {
            return segments.isEmpty() && path.equals("/") ? new Match(this, path) : null;
        }
        int from = 1;
        for (int index = 0; index < segments.size(); index++) {
            int end = endOfSegment(path, from);
            boolean isLast = index == segments.size() - 1;
            if (isLast != (end == path.length()) || !segments.get(index).matches(path, from, end)) {
                return null;
            }
            from = end + 1;
        }
        return new Match(this, path);
    }

    private static int endOfSegment(String path, int from) {
        int slash = path.indexOf('/', from);
        return slash < 0 ? path.length() : slash;
    }

    private static List<Segment> segments(String template) {
        return template.equals("/")
                ? List.of()
                : Arrays.stream(template.substring(1).split("/", -1))
                        .map(segment -> segment.startsWith("{")
                                ? new Segment(segment.substring(1, segment.length() - 1), true)
                                : new Segment(segment, false))
                        .toList();
    }
}
