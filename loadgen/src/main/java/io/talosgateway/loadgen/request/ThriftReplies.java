package io.talosgateway.loadgen.request;

import java.util.Locale;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.jspecify.annotations.Nullable;

/**
 * Answers to the calls of one method of the Thrift interface. For one thread.
 *
 * @param <R> the result struct
 */
final class ThriftReplies<R> {

    /** A get holds up to 10 MiB, and one block more. */
    private static final int MAX_ANSWER_BYTES = 32 << 20;

    private static final int MAX_DETAIL_CHARACTERS = 500;

    private final ThriftMethod<?, R> method;
    private @Nullable R result;

    ThriftReplies(ThriftMethod<?, R> method) {
        this.method = method;
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
