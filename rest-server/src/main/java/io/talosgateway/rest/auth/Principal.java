package io.talosgateway.rest.auth;

import org.jspecify.annotations.Nullable;

/**
 * Who is asking.
 *
 * @param id developer, team or application
 * @param organization that a team belongs to, whose topics are the team's; null for who belongs to none
 * @param admin whether it may do everything
 * @param guest whether nobody has vouched for it
 * @param scope what its key may be used for, at most
 */
public record Principal(String id, @Nullable String organization, boolean admin, boolean guest, KeyScope scope) {

    /** Nobody in particular. */
    public static final Principal GUEST = new Principal("guest", null, false, true, KeyScope.ALL);

    /** Whether what {@code ownerId} owns is this one's. */
    public boolean isOrBelongsTo(String ownerId) {
        return ownerId.equals(id) || ownerId.equals(organization);
    }
}
