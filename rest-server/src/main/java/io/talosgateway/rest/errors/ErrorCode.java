package io.talosgateway.rest.errors;

import java.util.Locale;

/**
 * Every error that an answer can carry. The name, in kebab case, is the stable code of the REST interface; the number is
 * the code that the Talos SDKs know ({@code common.thrift}). Names and numbers are protocol: never rename, never reuse.
 */
public enum ErrorCode {
    // Wrong requests.
    MALFORMED_REQUEST(400, 40, Fault.CALLER, RetryAdvice.NEVER, "The request cannot be understood"),
    INVALID_NAME(400, 15, Fault.CALLER, RetryAdvice.NEVER, "The name is not valid"),
    INVALID_TOPIC_PARAMETERS(400, 16, Fault.CALLER, RetryAdvice.NEVER, "The topic's parameters are not valid"),
    INVALID_TOPIC_GROUP(400, 16, Fault.CALLER, RetryAdvice.NEVER, "The topic group or the pattern is not valid"),
    INVALID_OFFSET(400, 3, Fault.CALLER, RetryAdvice.NEVER, "The offset is not valid"),
    INVALID_MESSAGE(400, 11, Fault.CALLER, RetryAdvice.NEVER, "The message is not valid"),
    INVALID_KEY_PARAMETERS(400, 40, Fault.CALLER, RetryAdvice.NEVER, "The key's parameters are not valid"),
    INVALID_QUOTA(400, 16, Fault.CALLER, RetryAdvice.NEVER, "The quota is not valid"),
    UNAUTHENTICATED(401, 30, Fault.CALLER, RetryAdvice.NEVER, "The credentials are missing or wrong"),
    PERMISSION_DENIED(403, 28, Fault.CALLER, RetryAdvice.NEVER, "The credentials do not allow this"),
    TOPIC_LIMIT_REACHED(403, 34, Fault.CALLER, RetryAdvice.NEVER, "No more topics or partitions are allowed"),
    TOPIC_GROUP_LIMIT_REACHED(403, 34, Fault.CALLER, RetryAdvice.NEVER, "No more topic groups are allowed"),
    CONSUMER_GROUP_LIMIT_REACHED(403, 51, Fault.CALLER, RetryAdvice.NEVER, "No more consumer groups are allowed"),
    QUOTA_LIMIT_REACHED(403, 34, Fault.CALLER, RetryAdvice.NEVER, "No more owners may have a quota"),
    QUOTA_NOT_AUTO_APPROVED(403, 36, Fault.CALLER, RetryAdvice.NEVER, "An administrator has to approve the quota"),
    NOT_FOUND(404, 40, Fault.CALLER, RetryAdvice.NEVER, "There is no such resource"),
    TOPIC_NOT_FOUND(404, 5, Fault.CALLER, RetryAdvice.NEVER, "There is no such topic"),
    TOPIC_GROUP_NOT_FOUND(404, 5, Fault.CALLER, RetryAdvice.NEVER, "There is no such topic group"),
    KEY_NOT_FOUND(404, 40, Fault.CALLER, RetryAdvice.NEVER, "There is no such key"),
    CONSUMER_GROUP_NOT_FOUND(404, 5, Fault.CALLER, RetryAdvice.NEVER, "There is no such consumer group of the topic"),
    QUOTA_NOT_FOUND(404, 6, Fault.CALLER, RetryAdvice.NEVER, "There is no such quota and no such application"),
    PARTITION_NOT_FOUND(404, 22, Fault.CALLER, RetryAdvice.NEVER, "There is no such partition"),
    TRANSACTION_NOT_FOUND(404, 43, Fault.CALLER, RetryAdvice.NEVER, "There is no such transaction of the partition"),
    METHOD_NOT_ALLOWED(405, 40, Fault.CALLER, RetryAdvice.NEVER, "The method is not allowed here"),
    NOT_ACCEPTABLE(406, 40, Fault.CALLER, RetryAdvice.NEVER, "The answer cannot be given in the form asked for"),
    REQUEST_TIMEOUT(408, 33, Fault.CALLER, RetryAdvice.AFTER_BACKOFF, "The request did not arrive in time"),
    TOPIC_EXISTS(409, 4, Fault.CALLER, RetryAdvice.NEVER, "The topic exists already"),
    TOPIC_GROUP_EXISTS(409, 4, Fault.CALLER, RetryAdvice.NEVER, "The topic group exists already"),
    /** A name that a Talos SDK gave a topic a second time, for somebody else. */
    SUB_RESOURCE_NAME_EXISTS(
            409, 31, Fault.CALLER, RetryAdvice.NEVER, "The topic was handed to another organization before"),
    PARTITION_NOT_ASSIGNED(409, 9, Fault.CALLER, RetryAdvice.NEVER, "The member does not hold the partition"),
    CONSUMER_GROUP_WORKING(409, 52, Fault.CALLER, RetryAdvice.NEVER, "The consumer group has live workers"),
    TRANSACTION_FINISHED(409, 42, Fault.CALLER, RetryAdvice.NEVER, "The transaction has ended in the other way"),
    KEY_READ_ONLY(409, 40, Fault.CALLER, RetryAdvice.NEVER, "The key cannot be changed here"),
    TOO_MANY_KEYS(409, 40, Fault.CALLER, RetryAdvice.NEVER, "There are too many keys"),
    REPLAYED(409, 30, Fault.CALLER, RetryAdvice.NEVER, "The signed request was accepted before"),
    UNEXPECTED_OFFSET(
            412, 3, Fault.CALLER, RetryAdvice.NEVER, "The partition does not end at the offset that the put expects"),
    FENCED(412, 3, Fault.CALLER, RetryAdvice.NEVER, "The partition has another fencing token"),
    CLOCK_SKEWED(412, 38, Fault.CALLER, RetryAdvice.NEVER, "The clock of the client is off"),
    REQUEST_TOO_LARGE(413, 39, Fault.CALLER, RetryAdvice.NEVER, "The request is too large"),
    URI_TOO_LONG(414, 40, Fault.CALLER, RetryAdvice.NEVER, "The URI is too long"),
    UNSUPPORTED_MEDIA_TYPE(415, 40, Fault.CALLER, RetryAdvice.NEVER, "The content type is not supported"),
    OFFSET_OUT_OF_RANGE(416, 14, Fault.CALLER, RetryAdvice.NEVER, "The offset is out of range"),
    IDEMPOTENCY_KEY_REUSED(422, 2, Fault.CALLER, RetryAdvice.NEVER, "The idempotency key was used for other messages"),
    HEADERS_TOO_LARGE(431, 40, Fault.CALLER, RetryAdvice.NEVER, "The headers are too large"),
    NOT_IMPLEMENTED(501, 2, Fault.CALLER, RetryAdvice.NEVER, "This gateway does not have that yet"),
    HTTP_VERSION_NOT_SUPPORTED(505, 40, Fault.CALLER, RetryAdvice.NEVER, "The version of HTTP is not supported"),

    // Too much to do.
    THROTTLED(429, 35, Fault.CALLER, RetryAdvice.AFTER_BACKOFF, "Too much is asked of this partition or topic at once"),
    QUOTA_EXCEEDED(
            429, 34, Fault.CALLER, RetryAdvice.AFTER_BACKOFF, "The topic or its owner takes up all of its space quota"),
    TOO_MANY_TRANSACTIONS(
            429,
            27,
            Fault.CALLER,
            RetryAdvice.AFTER_BACKOFF,
            "Too many transactions are neither committed nor rolled back"),
    OVERLOADED(503, 27, Fault.RESOURCES, RetryAdvice.AFTER_BACKOFF, "The gateway has too much to do"),
    TOO_MANY_STREAMS(503, 27, Fault.RESOURCES, RetryAdvice.AFTER_BACKOFF, "No more streams can be open at this host"),
    DEADLINE_EXCEEDED(504, 33, Fault.RESOURCES, RetryAdvice.AFTER_BACKOFF, "The time for the request ran out"),

    // Something else fails, or is on its way.
    STARTING(503, 25, Fault.EXTERNAL, RetryAdvice.AFTER_BACKOFF, "The gateway is starting"),
    PARTITION_NOT_SERVING(503, 21, Fault.EXTERNAL, RetryAdvice.AFTER_BACKOFF, "No host serves the partition right now"),
    /** Nothing was done. */
    PARTITION_MOVING(503, 21, Fault.EXTERNAL, RetryAdvice.AFTER_BACKOFF, "The partition is moving to another host"),
    STORAGE_UNAVAILABLE(503, 18, Fault.EXTERNAL, RetryAdvice.AFTER_BACKOFF, "The storage is not available"),
    COORDINATION_UNAVAILABLE(503, 20, Fault.EXTERNAL, RetryAdvice.AFTER_BACKOFF, "ZooKeeper is not available"),
    /** It lacks changes that were acted on: an operator has to give it its newest data back. */
    COORDINATION_RESTORED(
            503, 20, Fault.EXTERNAL, RetryAdvice.AFTER_BACKOFF, "ZooKeeper was set back to an earlier state"),
    TOKEN_KEYS_UNAVAILABLE(
            503, 25, Fault.EXTERNAL, RetryAdvice.AFTER_BACKOFF, "The keys of the token issuer are not available"),
    STORAGE_FULL(507, 18, Fault.EXTERNAL, RetryAdvice.AFTER_BACKOFF, "The storage is full"),
    OUTCOME_UNKNOWN(504, 33, Fault.EXTERNAL, RetryAdvice.OUTCOME_UNKNOWN, "Whether the messages are stored is unknown"),
    STORAGE_CORRUPT(500, 10, Fault.EXTERNAL, RetryAdvice.NEVER, "The storage gave back something else than was stored"),

    // A bug.
    INTERNAL(500, 26, Fault.INTERNAL, RetryAdvice.NEVER, "The gateway made a mistake");

    private final int httpStatus;
    private final int talosCode;
    private final Fault fault;
    private final RetryAdvice retry;
    private final String title;

    ErrorCode(int httpStatus, int talosCode, Fault fault, RetryAdvice retry, String title) {
        this.httpStatus = httpStatus;
        this.talosCode = talosCode;
        this.fault = fault;
        this.retry = retry;
        this.title = title;
    }

    /** The stable code of the REST interface, such as {@code topic-not-found}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The status on the REST interface. */
    public int httpStatus() {
        return httpStatus;
    }

    /** The number that the Talos SDKs know. */
    public int talosCode() {
        return talosCode;
    }

    public Fault fault() {
        return fault;
    }

    public RetryAdvice retry() {
        return retry;
    }

    /** A short sentence, the same for every occurrence, without a full stop. */
    public String title() {
        return title;
    }
}
