package io.talosgateway.rest.http;

import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.eclipse.jetty.http.HttpURI;
import org.jspecify.annotations.Nullable;

/** The path and query of a request as logs show them: only parameters that say where and how much have their values. Stateless. */
final class LoggedTarget {

    private static final Set<String> SHOWN = Set.of(
            "expected-offset", "limit", "max-bytes", "max-messages", "offset", "timestamp-ms", "type", "value", "wait");

    /** What would end a line, or change what a terminal shows. */
    private static final Pattern UNSAFE = Pattern.compile("[^ -~]");

    private static final String HIDDEN = "...";
    private static final int MAX_LENGTH = 512;

    private LoggedTarget() {}

    static @Nullable String of(@Nullable HttpURI uri) {
        String path = uri == null ? null : uri.getPath();
        if (uri == null || path == null) {
            return null;
        }
        String query = uri.getQuery();
        String target = query == null ? path : path + "?" + shown(query);
        String shortened = target.length() <= MAX_LENGTH ? target : target.substring(0, MAX_LENGTH);
        return UNSAFE.matcher(shortened).replaceAll("?");
    }

    private static String shown(String query) {
        return Arrays.stream(query.split("&")).map(LoggedTarget::parameter).collect(Collectors.joining("&"));
    }

    private static String parameter(String parameter) {
        int end = parameter.indexOf('=');
        if (end < 0) {
            // It may be a value without a name.
            return SHOWN.contains(parameter) ? parameter : HIDDEN;
        }
        String name = parameter.substring(0, end);
        return SHOWN.contains(name) ? parameter : name + "=" + HIDDEN;
    }
}
