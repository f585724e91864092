package io.talosgateway.rest.http.rest;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way to an operation.
 *
 * @param operation what is called, for whoever asks whether the caller may
 * @param path the path, with the values of its parameters
 * @param named the topic that the path names; null if the operation needs no permission for one
 * @param query parameters of the query
 */
record RestCall(
        Exchange exchange,
        Operation operation,
        Principal principal,
        RestRoute.Match path,
        @Nullable TopicName named,
        Fields query,
        ByteSlice body) {

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

    String pathParameter(String name) {
        return path.parameter(name);
    }

    /** The name in the path. */
    static TopicName topicName(RestRoute.Match path) {
        return topicName(path.parameter("topic"));
    }

    static TopicName topicName(String text) {
        try {
            return new TopicName(text);
        } catch (IllegalArgumentException e) {
            throw GatewayException.because(ErrorCode.INVALID_NAME, e);
        }
    }

    /**
     * The topic in the path.
     *
     * @throws GatewayException {@code TOPIC_NOT_FOUND} or {@code PERMISSION_DENIED}
     */
    TopicMetadata topic(AuthorizedTopics topics) {
        return topics.find(principal, operation, named == null ? topicName(path) : named);
    }

    /** Refuses what is misspelt, instead of ignoring it. */
    void allowQuery(Set<String> names) {
        for (Fields.Field field : query) {
            if (!names.contains(field.getName())) {
                throw malformed("There is no query parameter '%s' here; there are %s."
                        .formatted(field.getName(), names.isEmpty() ? "none" : String.join(", ", names)));
            }
        }
    }

    @Nullable
    String queryParameter(String name) {
        return query.getValue(name);
    }

    int intParameter(String name, int otherwise, int min) {
        String value = queryParameter(name);
        if (value == null) {
            return otherwise;
        }
        if (value.matches("\\d{1,10}")) {
            long number = Long.parseLong(value);
            if (number >= min && number <= Integer.MAX_VALUE) {
                return (int) number;
            }
        }
        throw malformed("The query parameter %s must be a whole number from %d to %d, not '%s'."
                .formatted(name, min, Integer.MAX_VALUE, value));
    }

    Duration durationParameter(String name) {
        String value = queryParameter(name);
        if (value == null) {
            return Duration.ZERO;
        }
        Matcher matcher = DURATION.matcher(value.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw malformed("The query parameter %s must be a duration like 500ms, 30s or 1m, not '%s'."
                    .formatted(name, value));
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            default -> Duration.ofMinutes(number);
        };
    }

    static GatewayException malformed(String detail) {
        return new GatewayException(ErrorCode.MALFORMED_REQUEST, detail);
    }
}
