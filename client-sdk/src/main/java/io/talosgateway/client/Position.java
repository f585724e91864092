package io.talosgateway.client;

/** Where a get begins. */
public final class Position {

    /** The first message that is kept. */
    public static final Position EARLIEST = new Position("offset=earliest", "\"to\":\"earliest\"");
    /** Only what comes from now on. */
    public static final Position LATEST = new Position("offset=latest", "\"to\":\"latest\"");

    private final String query;
    private final String json;

    private Position(String query, String json) {
        this.query = query;
        this.json = json;
    }

    public static Position offset(long offset) {
        if (offset < 0) {
            throw new IllegalArgumentException("an offset is not negative: " + offset);
        }
        return new Position("offset=" + offset, "\"offset\":" + offset);
    }

    /** The first message appended at this time or later, epoch milliseconds. */
    public static Position timestampMs(long timestampMs) {
        return new Position("timestamp-ms=" + timestampMs, "\"timestampMs\":" + timestampMs);
    }

    /**
     * Reads {@code earliest}, {@code latest} or an offset.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Position parse(String text) {
        if (text.equals("earliest")) {
            return EARLIEST;
        }
        if (text.equals("latest")) {
            return LATEST;
        }
        if (!text.matches("\\d{1,18}")) {
            throw new IllegalArgumentException("'" + text + "' is not an offset, 'earliest' or 'latest'");
        }
        return offset(Long.parseLong(text));
    }

    String query() {
        return query;
    }

    /** As a member of the JSON object that says where a consumer group shall go on. */
    String json() {
        return json;
    }
}
