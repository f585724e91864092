package io.talosgateway.rest.trace;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

import org.jspecify.annotations.Nullable;

/** Ids of requests: that of the client if it is safe to repeat in headers and logs, else one of our own. Stateless. */
public final class RequestId {

    /** In requests and in answers. */
    public static final String HEADER = "X-Request-Id";

    static final int MAX_LENGTH = 128;

    /** Besides letters and digits. None of them ends a line, a header, or a value that is quoted anywhere. */
    private static final String SAFE = "-._~:/+=@";

    private RequestId() {}

    /** The id that was sent, or a new one if there is none or it has characters that are not safe. */
    public static String of(@Nullable String sent) {
        return sent != null && isSafe(sent) ? sent : next();
    }

    private static boolean isSafe(String id) {
        if (id.isEmpty() || id.length() > MAX_LENGTH) {
            return false;
        }
        for (int index = 0; index < id.length(); index++) {
            char c = id.charAt(index);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!alphanumeric && SAFE.indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }

    /** 64 random bits as 16 hexadecimal digits. Can be guessed: nothing may rely on it but logs. */
    private static String next() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    }
}
