package io.talosgateway.rest.coordination;

/** Which host is the controller. Safe for use by any thread; does not block, but for {@link #withdraw}. */
public interface Election {

    /** Begins to stand for election, for as long as the process lives. */
    void stand(String host);

    /** Whether this host is the controller, as far as is known here: what it writes is written by compare-and-set. */
    boolean isElected();

    /** Has {@code listener} called, on a thread of the coordination, when this host was elected. */
    void onElected(Runnable listener);

    /** Lets another host be the controller. */
    void withdraw();
}
