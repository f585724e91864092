package io.talosgateway.rest.coordination;

/**
 * A registered host's right to answer what depends on the ends of its partitions. While the lease is held, ZooKeeper has
 * not ended the session in which the host was registered, so that no other host has taken over a partition that this host
 * has not released. The lease belongs to one registration: a later session or registration does not revive it.
 *
 * <p>One check suffices, if it is made after the request was read and before the answer is written: everything that any
 * host had acknowledged when the request arrived was acknowledged by this host, and is in its memory.
 *
 * <p>Safe for use by any thread; does not block.
 */
public interface ReadLease {

    /** Whether the lease is held now. */
    boolean isHeld();

    /** Why the lease is not held, as a clause: "this host has had no confirmation from ZooKeeper for 12 s". */
    String whyNotHeld();
}
