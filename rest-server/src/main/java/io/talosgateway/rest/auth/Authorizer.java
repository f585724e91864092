package io.talosgateway.rest.auth;

import java.util.Map;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.Grants;
import io.talosgateway.rest.topic.Permission;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may do what; nothing else does. The rules:
 *
 * <ul>
 *   <li>Nobody sees the topics of the gateway itself.
 *   <li>An administrator has every permission on every topic.
 *   <li>A topic's owner, who is a principal or the organization that a principal belongs to, has every permission on it. So has
 *       the team that it was handed to.
 *   <li>Others have what was granted to their id or to their organization: {@code PUT}, {@code GET} or {@code DESCRIBE}.
 *   <li>The scope of a key takes away from all of that, also from administrators, and adds nothing.
 * </ul>
 *
 * Stateless; each put asks it, so it makes no objects when it allows.
 */
public final class Authorizer {

    private static final Permission[] PERMISSIONS = Permission.values();

    private Authorizer() {}

    /** An answer about a topic. */
    public enum Verdict {
        ALLOWED,
        /** The caller may know that the topic exists, but lacks the permission. */
        FORBIDDEN,
        /** To the caller the topic does not exist. */
        INVISIBLE
    }

    /** Whether the operation needs a key, and the caller has none. */
    public static boolean lacksKey(Principal principal, Operation operation) {
        return operation.need() != Need.NOTHING && principal.guest() && !principal.admin();
    }

    /**
     * Checks what does not depend on a topic.
     *
     * @throws GatewayException {@code PERMISSION_DENIED} if the operation is for administrators and the caller is none
     */
    public static void requireAdmin(Principal principal, Operation operation) {
        if (operation.need() == Need.ADMIN
                && !(principal.admin() && principal.scope().equals(KeyScope.ALL))) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "'" + operation.operationName() + "' needs an administrator's key without a scope.");
        }
    }

    /** Whether the caller may do this with the topic; {@code operation} needs a permission on one. */
    public static Verdict decide(Principal principal, Operation operation, TopicMetadata topic) {
        Permission needed = operation.need().permission();
        if (needed == null) {
            throw new IllegalArgumentException(operation + " needs no permission on a topic");
        }
        return decide(principal, needed, topic);
    }

    private static Verdict decide(Principal principal, Permission needed, TopicMetadata topic) {
        if (topic.name().isReserved()) {
            return Verdict.INVISIBLE;
        }
        int bits = held(principal, topic);
        if (needed.isIn(bits) && isInScope(principal, needed, topic.name().value())) {
            return Verdict.ALLOWED;
        }
        for (Permission permission : PERMISSIONS) {
            if (permission.isIn(bits)
                    && isInScope(principal, permission, topic.name().value())) {
                return Verdict.FORBIDDEN;
            }
        }
        return Verdict.INVISIBLE;
    }

    /** Whether lists show the topic to the caller. */
    public static boolean isShown(Principal principal, TopicMetadata topic) {
        return decide(principal, Permission.DESCRIBE, topic) == Verdict.ALLOWED;
    }

    /**
     * Whether the topic is bound to the caller: owned by it, its organization or its team, or granted to one of them. Unlike
     * {@link #isShown}, that an administrator may do everything counts for nothing.
     */
    public static boolean isBound(Principal principal, TopicMetadata topic) {
        if (topic.name().isReserved()) {
            return false;
        }
        int bits = isOwner(principal, topic) ? -1 : granted(principal, topic);
        for (Permission permission : PERMISSIONS) {
            if (permission.isIn(bits)
                    && isInScope(principal, permission, topic.name().value())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the topic is bound to a team: owned by it, handed to it, or granted to it. The caller's own team has the topics of
     * the caller's organization as well; of which organization other teams are is not known.
     */
    public static boolean isBoundToTeam(Principal caller, String team, TopicMetadata topic) {
        String organization = team.equals(caller.id()) ? caller.organization() : null;
        return isBound(new Principal(team, organization, false, false, KeyScope.ALL), topic);
    }

    /** Whether the topic group is the caller's, or the caller is an administrator. */
    public static boolean ownsGroup(Principal principal, TopicGroup group) {
        return principal.admin() || principal.isOrBelongsTo(group.ownerId());
    }

    /**
     * Who will own a topic group that the caller creates.
     *
     * @param owner that the request names; null for the caller's organization or, if it belongs to none, itself
     * @throws GatewayException {@code PERMISSION_DENIED} if that is somebody else, or the key may not be used so
     */
    public static String ownerOfNewGroup(Principal principal, String group, @Nullable String owner) {
        if (owner != null && !principal.admin() && !principal.isOrBelongsTo(owner)) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "'%s' cannot create topic groups for '%s'; use a key of that owner or organization."
                            .formatted(principal.id(), owner));
        }
        requireGroupInScope(principal, group);
        return owner == null ? defaultOwner(principal) : owner;
    }

    /** @throws GatewayException {@code PERMISSION_DENIED} if the caller may not change the group */
    public static void requireGroupOwner(Principal principal, TopicGroup group) {
        if (!ownsGroup(principal, group)) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "The topic group '%s' can be changed only by its owner '%s' and administrators."
                            .formatted(group.name(), group.ownerId()));
        }
        requireGroupInScope(principal, group.name().value());
    }

    /**
     * Checks who speaks for an owner.
     *
     * @throws GatewayException {@code PERMISSION_DENIED} unless the caller is the owner, belongs to it, or is an administrator, and
     *     its key has no scope
     */
    public static void requireOwner(Principal principal, String owner) {
        if (!principal.admin() && !principal.isOrBelongsTo(owner)) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "'%s' cannot do this for '%s'; use a key of that owner or organization."
                            .formatted(principal.id(), owner));
        }
        if (!principal.scope().equals(KeyScope.ALL)) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED, "This key has a scope; use one of '" + owner + "' that has none.");
        }
    }

    /** The names of groups are compared with the scope's patterns of topics. */
    private static void requireGroupInScope(Principal principal, String group) {
        if (!isInScope(principal, Permission.CHANGE_TOPIC, group)) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "The scope of this key does not hold the permission '%s' on the name '%s' of the topic group; use a key with a wider scope."
                            .formatted(Permission.CHANGE_TOPIC.text(), group));
        }
    }

    /** Bits of the permissions that the principal has on the topic, whatever the scope of its key. */
    private static int held(Principal principal, TopicMetadata topic) {
        if (principal.admin() || isOwner(principal, topic)) {
            return -1;
        }
        return granted(principal, topic);
    }

    private static boolean isOwner(Principal principal, TopicMetadata topic) {
        String adminTeam = topic.adminTeam();
        return principal.isOrBelongsTo(topic.ownerId()) || (adminTeam != null && principal.isOrBelongsTo(adminTeam));
    }

    private static int granted(Principal principal, TopicMetadata topic) {
        Map<String, Integer> acl = topic.acl();
        int bits = acl.getOrDefault(principal.id(), 0);
        String organization = principal.organization();
        if (organization != null) {
            bits |= acl.getOrDefault(organization, 0);
        }
        return bits & Grants.GRANTABLE_BITS;
    }

    private static boolean isInScope(Principal principal, Permission permission, String topic) {
        return principal.scope().equals(KeyScope.ALL) || principal.scope().allows(permission, topic);
    }

    /** Why the caller may not do this with the topic, and who can help. */
    public static GatewayException refusal(Principal principal, Operation operation, TopicMetadata topic) {
        Permission needed = operation.need().permission();
        if (needed == null) {
            throw new IllegalArgumentException(operation + " needs no permission on a topic");
        }
        if (needed.isIn(held(principal, topic))) {
            return outOfScope(needed, topic.name().value());
        }
        String detail = needed.isIn(Grants.GRANTABLE_BITS)
                ? "This needs the permission '%s' on the topic '%s', which '%s' does not have; the owner '%s' or an administrator can grant it."
                        .formatted(needed.text(), topic.name(), principal.id(), topic.ownerId())
                : "This needs the permission '%s' on the topic '%s', which only its owner '%s' and administrators have."
                        .formatted(needed.text(), topic.name(), topic.ownerId());
        return new GatewayException(ErrorCode.PERMISSION_DENIED, detail);
    }

    private static GatewayException outOfScope(Permission needed, String topic) {
        return new GatewayException(
                ErrorCode.PERMISSION_DENIED,
                "The scope of this key does not hold the permission '%s' on the topic '%s'; use a key with a wider scope."
                        .formatted(needed.text(), topic));
    }

    /**
     * Who will own a topic that the caller creates: the organization that it belongs to, so that the topic is the whole team's,
     * else itself.
     *
     * @param organization that the request names as the owner; null if it names none
     * @param grants whether the topic is created with grants
     * @throws GatewayException {@code PERMISSION_DENIED} if the caller is not of that organization, or its key may not be used
     *     so
     */
    public static String ownerOfNew(Principal principal, String topic, @Nullable String organization, boolean grants) {
        if (organization != null && !organization.equals(principal.organization()) && !principal.admin()) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "'%s' does not belong to the organization '%s' and cannot create topics for it; use a key of that organization."
                            .formatted(principal.id(), organization));
        }
        if (!isInScope(principal, Permission.CHANGE_TOPIC, topic)) {
            throw outOfScope(Permission.CHANGE_TOPIC, topic);
        }
        if (grants && !isInScope(principal, Permission.CHANGE_PERMISSION, topic)) {
            throw outOfScope(Permission.CHANGE_PERMISSION, topic);
        }
        return organization == null ? defaultOwner(principal) : organization;
    }

    /** Who owns what the caller creates: the organization that it belongs to, else itself. */
    public static String defaultOwner(Principal principal) {
        String own = principal.organization();
        return own == null ? principal.id() : own;
    }
}
