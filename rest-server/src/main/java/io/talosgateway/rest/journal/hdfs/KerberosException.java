package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/** Kerberos cannot be used. The message is a sentence for the operator: the cause, and the next step. */
final class KerberosException extends IOException {

    private static final long serialVersionUID = 1L;

    KerberosException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
