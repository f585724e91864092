package io.talosgateway.rest.bootstrap;

/** The configuration is not valid; the message is a sentence for the operator. */
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ConfigException(String message) {
        super(message);
    }

    ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
