package io.talosgateway.rest.requestlog;

/**
 * Where requests are noted, of clients and of other hosts.
 *
 * @param access each request; {@link AccessLog#NONE} if nobody wants to know
 */
public record RequestLogs(AccessLog access) {

    public static final RequestLogs NONE = new RequestLogs(AccessLog.NONE);

    /** Whether each request is noted. */
    public boolean notesAccess() {
        return access != AccessLog.NONE;
    }
}
