package io.talosgateway.verifier;

/** What an answer to a put, or none, says about this attempt. */
enum Outcome {
    /** The messages are stored, and the answer says where. */
    STORED,
    /** This attempt has not stored them, and will not. */
    NOT_STORED,
    /** Nobody knows. */
    UNKNOWN
}
