package io.talosgateway.rest.coordination;

/** Another process with the same host name is alive. */
public final class HostExistsException extends Exception {

    private static final long serialVersionUID = 1L;

    public HostExistsException(String host, String endpoint) {
        super(
                ("Another gateway named '%s' is running (at %s). Give every gateway a name of its own with host.name, or stop "
                                + "that one.")
                        .formatted(host, endpoint));
    }
}
