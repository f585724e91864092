package io.talosgateway.rest.auth;

/**
 * Who is asking.
 *
 * @param id developer or organisation; owner of the topics it creates
 * @param admin whether it may do everything
 * @param guest whether nobody has vouched for it
 */
public record Principal(String id, boolean admin, boolean guest) {

    /** Nobody in particular. */
    public static final Principal GUEST = new Principal("guest", false, true);
}
