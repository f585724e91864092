package io.talosgateway.loadgen.run;

/** What a thread of the load does: it sends the requests of one client or of many, until the window is over. */
interface Driver extends Runnable {

    /** Gives up requests that have waited for too long, where nobody else does. Any thread. */
    void giveUpIfDue(long nowNanos);
}
