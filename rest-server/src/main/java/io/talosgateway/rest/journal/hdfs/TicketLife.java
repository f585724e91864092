package io.talosgateway.rest.journal.hdfs;

import javax.security.auth.kerberos.KerberosTicket;

/** From when until when a ticket is valid, in milliseconds of the system's clock, and when it is renewed. */
record TicketLife(long fromMs, long untilMs) {

    private static final long SHORTEST_POLL_MS = 100;
    private static final long LONGEST_POLL_MS = 60_000;

    static TicketLife of(KerberosTicket ticket) {
        return new TicketLife(
                (ticket.getStartTime() == null ? ticket.getAuthTime() : ticket.getStartTime())
                        .toInstant()
                        .toEpochMilli(),
                ticket.getEndTime().toInstant().toEpochMilli());
    }

    /** After four fifths of the life: the rest is for a KDC that does not answer. Hadoop's own clients do the same. */
    boolean isDue(long nowMs) {
        return nowMs >= fromMs + (untilMs - fromMs) / 5 * 4;
    }

    boolean isOver(long nowMs) {
        return nowMs >= untilMs;
    }

    /**
     * How often to ask {@link #isDue}, and to repeat what failed. Asking, in place of a timer, finds a clock that was set ahead,
     * and a machine that slept.
     */
    long pollMs() {
        return Math.min(LONGEST_POLL_MS, Math.max(SHORTEST_POLL_MS, (untilMs - fromMs) / 50));
    }
}
