package io.talosgateway.rest.trace;

import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A position in a trace: the header {@code traceparent} of W3C Trace Context, version 00.
 *
 * <pre>
 *   00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
 *   |  trace id, 32 digits              span id, 16      flags
 *   version                                              01: sampled
 * </pre>
 *
 * @param traceId 32 hexadecimal digits, not all 0
 * @param spanId 16 hexadecimal digits, not all 0
 * @param flags 0 to 255
 */
public record TraceParent(String traceId, String spanId, int flags) {

    public static final String HEADER = "traceparent";

    private static final int SAMPLED = 1;

    private static final int TRACE_ID_AT = 3;
    private static final int SPAN_ID_AT = 36;
    private static final int FLAGS_AT = 53;
    private static final int LENGTH = 55;
    private static final int HEX = 16;

    private static final Pattern FORM = Pattern.compile("[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final Pattern ZEROS = Pattern.compile("0+");

    /**
     * Reads the header. Of a version above 00, what this version knows is taken, as the specification has it.
     *
     * @return null if it is not valid: then the request is in no trace
     */
    public static @Nullable TraceParent parse(@Nullable String header) {
        if (header == null || header.length() < LENGTH) {
            return null;
        }
        String known = header.substring(0, LENGTH);
        boolean furtherFields = header.length() > LENGTH;
        if (!FORM.matcher(known).matches() || header.startsWith("ff")) {
            return null;
        }
        if (furtherFields && (header.startsWith("00") || header.charAt(LENGTH) != '-')) {
            return null;
        }
        String traceId = known.substring(TRACE_ID_AT, SPAN_ID_AT - 1);
        String spanId = known.substring(SPAN_ID_AT, FLAGS_AT - 1);
        if (ZEROS.matcher(traceId).matches() || ZEROS.matcher(spanId).matches()) {
            return null;
        }
        return new TraceParent(traceId, spanId, Integer.parseInt(known, FLAGS_AT, LENGTH, HEX));
    }

    /** Whether the caller records the trace. */
    public boolean isSampled() {
        return (flags & SAMPLED) != 0;
    }

    /** As a header of version 00. */
    public String text() {
        return "00-%s-%s-%02x".formatted(traceId, spanId, flags);
    }
}
