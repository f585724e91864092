package io.talosgateway.rest.http.talos;

import java.util.Set;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.call.ConsumerMethods;

/** Errors as the Talos SDKs understand them. Stateless. */
final class TalosErrors {

    /** What the Go SDK looks for in the raw body of an answer that is not 200. */
    private static final String OUT_OF_RANGE_TEXT = "Message out range";

    private static final String NOT_SERVING_TEXT = "partition not serving error";

    /** Methods whose results have no field for an exception in the Java SDK 2.0.2: it skips one, and finds no result. */
    private static final Set<String> WITHOUT_EXCEPTION = Set.of(
            ConsumerMethods.LOCK_WORKER.name(),
            ConsumerMethods.LOCK_PARTITION.name(),
            ConsumerMethods.UNLOCK_PARTITION.name(),
            ConsumerMethods.RENEW.name(),
            ConsumerMethods.UPDATE_OFFSET.name(),
            ConsumerMethods.QUERY_WORKER.name());

    private TalosErrors() {}

    /**
     * Whether a failure is told as an exception of the protocol instead of one of the service. Every Java SDK shows its text, the
     * 2.0.2 too; but none tries again by itself, so it is for what cannot succeed.
     */
    static boolean isToldAsApplicationException(TalosCall call, GatewayException reason) {
        return call.client() == ClientKind.JAVA
                && WITHOUT_EXCEPTION.contains(call.method())
                && reason.retry() == RetryAdvice.NEVER
                && !isTransportError(reason.code());
    }

    /** The exception of a reply. The short text is the same for every occurrence; the details tell this one. */
    static GalaxyTalosException exception(GatewayException reason) {
        String text = switch (reason.code()) {
            case OFFSET_OUT_OF_RANGE -> OUT_OF_RANGE_TEXT;
            case PARTITION_NOT_SERVING, PARTITION_MOVING -> NOT_SERVING_TEXT;
            default -> reason.code().title();
        };
        return new GalaxyTalosException()
                .setErrorCode(io.talosgateway.thrift.ErrorCode.findByValue(
                        reason.code().talosCode()))
                .setErrMsg(text)
                .setDetails(reason.detail());
    }

    /**
     * Status of a reply with an exception: 200, so that the Go SDK sees the type, but for the two errors that it looks for
     * by text in answers that are not 200. Java reads the body as Thrift in either case, by its content type.
     */
    static int status(ErrorCode code) {
        return switch (code) {
            case OFFSET_OUT_OF_RANGE, PARTITION_NOT_SERVING, PARTITION_MOVING -> 500;
            default -> 200;
        };
    }

    /** True for what is told as a plain HTTP error: it has to do with the request as such, before any method. */
    static boolean isTransportError(ErrorCode code) {
        return switch (code) {
            case UNAUTHENTICATED,
                    CLOCK_SKEWED,
                    REQUEST_TOO_LARGE,
                    MALFORMED_REQUEST,
                    UNSUPPORTED_MEDIA_TYPE,
                    METHOD_NOT_ALLOWED,
                    REQUEST_TIMEOUT -> true;
            default -> false;
        };
    }
}
