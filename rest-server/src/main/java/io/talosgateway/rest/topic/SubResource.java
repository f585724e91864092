package io.talosgateway.rest.topic;

/**
 * Who a topic was handed to ({@code addSubResourceName} of the Talos SDKs). The topic keeps its owner and its resource name.
 *
 * @param organization under which the topic has a second resource name; {@code CL...}
 * @param adminTeam has every permission on the topic, as the owner has; {@code CI...}
 */
public record SubResource(String organization, String adminTeam) {

    private static final String ORGANIZATION_PREFIX = "CL";
    private static final String TEAM_PREFIX = "CI";

    /** @throws IllegalArgumentException with a sentence for the user if that is no organization or no team */
    public static SubResource of(String organization, String adminTeam) {
        requireId("organization", organization, ORGANIZATION_PREFIX);
        requireId("team", adminTeam, TEAM_PREFIX);
        return new SubResource(organization, adminTeam);
    }

    private static void requireId(String what, String id, String prefix) {
        boolean valid = id.startsWith(prefix)
                && id.length() <= Grants.MAX_PRINCIPAL_LENGTH
                && id.chars().noneMatch(character -> character == '#' || Character.isISOControl(character));
        if (!valid) {
            throw new IllegalArgumentException(
                    "The %s '%s' is not valid: use %s and at most %d characters in all, without '#' and control characters."
                            .formatted(what, Grants.abbreviated(id), prefix, Grants.MAX_PRINCIPAL_LENGTH));
        }
    }
}
