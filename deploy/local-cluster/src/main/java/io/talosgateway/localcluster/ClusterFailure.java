package io.talosgateway.localcluster;

/** A command could not do its work; the message says to the user what is wrong, and what to do. */
final class ClusterFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ClusterFailure(String message, Throwable cause) {
        super(message, cause);
    }

    ClusterFailure(String message) {
        super(message);
    }
}
