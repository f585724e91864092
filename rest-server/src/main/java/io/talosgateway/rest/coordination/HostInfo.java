package io.talosgateway.rest.coordination;

/**
 * What a host tells the others.
 *
 * @param name unique in the cluster
 * @param incarnation rises with each start and each new session
 * @param endpoint where clients reach it: {@code host:port} if it speaks plain HTTP, {@code https://host:port} if it
 *     speaks TLS only
 * @param peerAddress {@code host:port} at which other hosts reach it; empty if they do not
 * @param intent what it is about to do
 */
public record HostInfo(String name, long incarnation, String endpoint, String peerAddress, Intent intent) {

    /** What a host is about to do. */
    public enum Intent {
        /** To serve, once it has read what it left before; no partitions are moved to it yet. */
        START,
        /** To serve. */
        SERVE,
        /** To go; its partitions are to be moved before it does. */
        LEAVE,
        /** To go and come back soon; its partitions are to be kept for it. */
        RESTART
    }

    public HostInfo with(Intent newIntent) {
        return new HostInfo(name, incarnation, endpoint, peerAddress, newIntent);
    }
}
