package io.talosgateway.loadgen.request;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.auth.RequestSigner;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TMemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Calls of a method of the Thrift interface, signed as the SDKs sign them, and the answers to them. For one thread.
 *
 * @param <A> the argument struct
 * @param <R> the result struct
 */
public final class ThriftCalls<A, R> {

    /** The SDKs number every call so. */
    public static final int SEQUENCE_NUMBER = 1;
    /** The interface wants one. Clients that are not an SDK of Java are not told apart by it. */
    public static final String SEQUENCE_ID = "talos-loadgen";

    private static final ThriftService SERVICE = ThriftService.MESSAGE;
    private static final String TYPE = ThriftFormat.COMPACT.contentType();
    private static final int CAPACITY = 256;
    /** A get holds up to 10 MiB, and one block more. */
    private static final int MAX_ANSWER_BYTES = 32 << 20;

    private static final int MAX_DETAIL_CHARACTERS = 500;

    private final ThriftMethod<A, R> method;
    private final String start;
    private final @Nullable RequestSigner signer;
    private @Nullable R result;

    ThriftCalls(LoadPlan plan, ThriftMethod<A, R> method, InstantSource clock) {
        Credentials key = plan.target().credentials();
        this.method = method;
        this.signer = key == null ? null : new RequestSigner(key.id(), key.secret(), clock);
        // The method's name in the query is for logs, as with the SDKs.
        this.start = "POST %s?type=%s HTTP/1.1\r\n%sContent-Type: %s\r\nAccept: %s\r\n"
                .formatted(SERVICE.path(), method.name(), plan.target().headers(null), TYPE, TYPE);
    }

    /** The body of a call. */
    byte[] body(A arguments) {
        try {
            TMemoryBuffer buffer = new TMemoryBuffer(CAPACITY);
            method.writeCall(ThriftFormat.COMPACT.writing(buffer), SEQUENCE_NUMBER, arguments);
            return Arrays.copyOf(buffer.getArray(), buffer.length());
        } catch (TException e) {
            throw new IllegalStateException("writing to memory does not fail", e);
        }
    }

    /**
     * All lines but those of the length, of an idempotency key, and the empty one.
     *
     * @param digest MD5 of the body
     */
    String head(String digest) {
        if (signer == null) {
            return start;
        }
        StringBuilder lines = new StringBuilder(start);
        for (Map.Entry<String, String> header :
                signer.headers(SERVICE.path(), TYPE, digest).entrySet()) {
            lines.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
        }
        return lines.toString();
    }

    static HttpAnswer newAnswer() {
        return HttpAnswer.keepingBodies(MAX_ANSWER_BYTES);
    }

    /** What is wrong with an answer; null if it is not an error, and then there is a result. */
    @Nullable
    Refusal refusal(HttpAnswer answer) {
        result = null;
        int status = answer.status();
        // Some errors of the interface come with 500; other statuses have a text.
        if (status != 200 && status != 500) {
            return plain(answer);
        }
        try {
            result = method.readReply(ThriftFormat.COMPACT.reading(answer.keptBody()));
            return null;
        } catch (GalaxyTalosException e) {
            return refusal(status, e);
        } catch (TException e) {
            return status == 200
                    ? new Refusal(
                            status,
                            "not-thrift",
                            "The answer to %s is not one of the Thrift interface: %s".formatted(method, e.getMessage()),
                            Refusal.Meaning.HOPELESS)
                    : plain(answer);
        }
    }

    private static Refusal plain(HttpAnswer answer) {
        String text = answer.errorBody().strip();
        return new Refusal(
                answer.status(),
                "",
                text.substring(0, Math.min(text.length(), MAX_DETAIL_CHARACTERS)),
                Refusal.meaning(answer.status()));
    }

    private static Refusal refusal(int status, GalaxyTalosException e) {
        ErrorCode code = e.getErrorCode();
        String detail = e.isSetDetails() ? e.getDetails() : String.valueOf(e.getErrMsg());
        // A number that only a newer gateway knows becomes null.
        if (code == null) {
            return new Refusal(status, "", detail, Refusal.Meaning.HOPELESS);
        }
        return new Refusal(status, code.name().toLowerCase(Locale.ROOT).replace('_', '-'), detail, meaning(code));
    }

    private static Refusal.Meaning meaning(ErrorCode code) {
        return switch (code) {
            case MESSAGE_OFFSET_OUT_OF_RANGE, UNEXPECTED_MESSAGE_OFFSET -> Refusal.Meaning.OFFSET_IS_GONE;
            case TOPIC_NOT_EXIST,
                    PARTITION_NOT_EXIST,
                    MESSAGE_INCOMPLETE,
                    INVALID_NAME_ERROR,
                    PERMISSION_DENIED_ERROR,
                    INVALID_AUTH_INFO,
                    BAD_REQUEST -> Refusal.Meaning.HOPELESS;
            default -> Refusal.Meaning.NEXT_MAY_SUCCEED;
        };
    }

    /** The result of the last answer, which was not an error. */
    @Nullable
    R result() {
        return result;
    }
}
