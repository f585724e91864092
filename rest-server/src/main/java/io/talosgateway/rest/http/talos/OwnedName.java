package io.talosgateway.rest.http.talos;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;

/**
 * The name of something to create, as the SDKs send it: that of the organization that will own it and a slash may be in front.
 *
 * @param organization null if the request names none
 */
record OwnedName(@Nullable String organization, String name) {

    private static final String ORGANIZATION_PREFIX = "CL";

    /** @throws GatewayException {@code INVALID_NAME} if there is something else in front */
    static OwnedName parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return new OwnedName(null, text);
        }
        String organization = text.substring(0, slash);
        if (!organization.startsWith(ORGANIZATION_PREFIX)) {
            throw new GatewayException(
                    ErrorCode.INVALID_NAME,
                    "The organisation '" + organization + "' in front of the topic name must start with "
                            + ORGANIZATION_PREFIX + ".");
        }
        return new OwnedName(organization, text.substring(slash + 1));
    }
}
