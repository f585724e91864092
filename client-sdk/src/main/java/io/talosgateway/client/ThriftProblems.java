package io.talosgateway.client;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong on the Thrift interface, in the words of the JSON interface. Some of its numbers stand for several of
 * those words; the careful one is taken. Stateless.
 */
final class ThriftProblems {

    private static final int MAX_DETAIL_BYTES = 1_000;

    private ThriftProblems() {}

    /** An exception that a method answered with. */
    static Problem of(int status, GalaxyTalosException exception, Retry withoutAnswer) {
        // A number that only a newer gateway knows becomes null.
        ErrorCode code = exception.getErrorCode();
        return new Problem(
                status,
                code == null ? null : word(code, withoutAnswer),
                exception.getErrMsg(),
                exception.getDetails(),
                code == null ? Retry.NEVER : retry(code, withoutAnswer),
                null,
                null);
    }

    private static String word(ErrorCode code, Retry withoutAnswer) {
        return switch (code) {
            case UNEXPECTED_MESSAGE_OFFSET -> "invalid-offset";
            case TOPIC_EXIST -> "topic-exists";
            case TOPIC_NOT_EXIST -> "topic-not-found";
            case MESSAGE_MISSING -> "storage-corrupt";
            case MESSAGE_INCOMPLETE -> "invalid-message";
            case MESSAGE_OFFSET_OUT_OF_RANGE -> "offset-out-of-range";
            case INVALID_NAME_ERROR -> "invalid-name";
            case INVALID_TOPIC_PARAMS -> "invalid-topic-parameters";
            case HDFS_OPERATION_FAILED -> "storage-unavailable";
            case ZOOKEEPER_OPERATION_FAILED -> "coordination-unavailable";
            case PARTITION_NOT_EXIST -> "partition-not-found";
            case REST_SERVER_INIT_ERROR -> "starting";
            case INTERNAL_SERVER_ERROR -> "internal";
            case EXCESSIVE_PENDING_MESSAGE -> "overloaded";
            case PERMISSION_DENIED_ERROR -> "permission-denied";
            case INVALID_AUTH_INFO -> "unauthenticated";
            case REQUEST_PROCESS_TIMEOUT ->
                withoutAnswer == Retry.AFTER_BACKOFF ? "deadline-exceeded" : "outcome-unknown";
            case THROTTLE_REJECT_ERROR -> "throttled";
            case CLOCK_TOO_SKEWED -> "clock-skewed";
            case BAD_REQUEST -> "malformed-request";
            default -> code.name().toLowerCase(Locale.ROOT).replace('_', '-');
        };
    }

    private static Retry retry(ErrorCode code, Retry withoutAnswer) {
        return switch (code) {
            case HDFS_OPERATION_FAILED,
                    ZOOKEEPER_OPERATION_FAILED,
                    PARTITION_NOT_SERVING,
                    REST_SERVER_INIT_ERROR,
                    EXCESSIVE_PENDING_MESSAGE,
                    THROTTLE_REJECT_ERROR -> Retry.AFTER_BACKOFF;
            case REQUEST_PROCESS_TIMEOUT -> withoutAnswer;
            default -> Retry.NEVER;
        };
    }

    /** An answer that is not Thrift: a refusal before any method, or not of a gateway. */
    static Problem of(int status, String contentType, byte[] body, Retry withoutAnswer) {
        if (status / 100 == 2) {
            return new Problem(
                    status,
                    null,
                    null,
                    "The answer is not one of a Talos Gateway: it is " + contentType,
                    Retry.NEVER,
                    null,
                    null);
        }
        return new Problem(
                status, word(status), null, detail(contentType, body), retry(status, withoutAnswer), null, null);
    }

    private static @Nullable String word(int status) {
        return switch (status) {
            case 400 -> "malformed-request";
            case 401 -> "unauthenticated";
            case 405 -> "method-not-allowed";
            case 408 -> "request-timeout";
            case 412 -> "clock-skewed";
            case 413 -> "request-too-large";
            case 415 -> "unsupported-media-type";
            default -> null;
        };
    }

    private static Retry retry(int status, Retry withoutAnswer) {
        if (status == 408) {
            return Retry.AFTER_BACKOFF;
        }
        return status >= 502 ? withoutAnswer : Retry.NEVER;
    }

    private static @Nullable String detail(String contentType, byte[] body) {
        if (!contentType.startsWith("text/plain")) {
            return null;
        }
        String text = new String(body, 0, Math.min(body.length, MAX_DETAIL_BYTES), StandardCharsets.UTF_8).strip();
        return text.isEmpty() ? null : text;
    }
}
