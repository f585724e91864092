package io.talosgateway.rest.topic;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The rules for what a topic's owner grants to others. Stateless. */
public final class Grants {

    /** The bits that can be granted. The others are the owner's. */
    public static final int GRANTABLE_BITS = Permission.PUT.bit() | Permission.GET.bit() | Permission.DESCRIBE.bit();

    /** Most principals that have a grant on one topic. */
    public static final int MAX_GRANTS = 1_000;

    /** Of characters. The topic's record may be full before it has {@link #MAX_GRANTS} of the longest. */
    public static final int MAX_PRINCIPAL_LENGTH = 128;

    private static final int ALL_BITS = Permission.bits(Set.of(Permission.values()));

    private static final List<Permission> GRANTABLE = Arrays.stream(Permission.values())
            .filter(permission -> permission.isIn(GRANTABLE_BITS))
            .toList();

    private Grants() {}

    /** The names of the permissions whose bits are set and that can be granted. */
    public static List<String> texts(int bits) {
        return GRANTABLE.stream()
                .filter(permission -> permission.isIn(bits))
                .map(Permission::text)
                .toList();
    }

    /**
     * The bits of the permissions with these names.
     *
     * @throws IllegalArgumentException with a sentence for the user if one of them does not exist or cannot be granted
     */
    public static int parse(List<String> names) {
        int bits = 0;
        for (String name : names) {
            bits |= Permission.named(name, GRANTABLE)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The permission '" + abbreviated(name) + "' cannot be granted: use "
                                    + GRANTABLE.stream().map(Permission::text).collect(Collectors.joining(", ")) + "."))
                    .bit();
        }
        return bits;
    }

    /** Principal to the bits that it was granted. A record written by an older release may hold others: these mean nothing. */
    public static Map<String, Integer> of(TopicMetadata topic) {
        Map<String, Integer> grants = new HashMap<>();
        topic.acl().forEach((principal, bits) -> {
            if ((bits & GRANTABLE_BITS) != 0) {
                grants.put(principal, bits & GRANTABLE_BITS);
            }
        });
        String adminTeam = topic.adminTeam();
        if (adminTeam != null) {
            grants.put(adminTeam, ALL_BITS);
        }
        return grants;
    }

    /** The bits that {@link #of} has for a principal, 0 if it has none. */
    public static int of(TopicMetadata topic, String principal) {
        return principal.equals(topic.adminTeam()) ? ALL_BITS : topic.acl().getOrDefault(principal, 0) & GRANTABLE_BITS;
    }

    /**
     * The grants of a new topic. The owner needs none.
     *
     * @throws IllegalArgumentException with a sentence for the user if one of them is not valid, or there are too many
     */
    public static Map<String, Integer> ofNew(String ownerId, Map<String, Integer> acl) {
        Map<String, Integer> checked = new HashMap<>();
        acl.forEach((principal, bits) -> {
            if (!principal.equals(ownerId)) {
                checked.put(checkedPrincipal(principal), checkedBits(bits));
            }
        });
        return checkedNumber(checked);
    }

    /**
     * The grants of a topic once {@code principal} has been granted exactly {@code bits}.
     *
     * @throws IllegalArgumentException with a sentence for the user if that cannot be granted
     */
    public static Map<String, Integer> granted(TopicMetadata topic, String principal, int bits) {
        requireNotOwner(topic, principal);
        if (principal.equals(topic.adminTeam())) {
            throw new IllegalArgumentException("The topic '" + topic.name() + "' was handed to '" + principal
                    + "', which has every permission on it; revoke that first.");
        }
        Map<String, Integer> acl = new HashMap<>(topic.acl());
        acl.put(checkedPrincipal(principal), checkedBits(bits));
        return checkedNumber(acl);
    }

    /**
     * The grants of a topic without that of {@code principal}, if there is one.
     *
     * @throws IllegalArgumentException with a sentence for the user if {@code principal} is the owner
     */
    public static Map<String, Integer> revoked(TopicMetadata topic, String principal) {
        requireNotOwner(topic, principal);
        Map<String, Integer> acl = new HashMap<>(topic.acl());
        acl.remove(principal);
        return acl;
    }

    private static void requireNotOwner(TopicMetadata topic, String principal) {
        if (principal.equals(topic.ownerId())) {
            throw new IllegalArgumentException("'" + principal + "' owns the topic '" + topic.name()
                    + "' and has every permission on it; these can be neither granted nor revoked.");
        }
    }

    private static int checkedBits(int bits) {
        if (bits <= 0 || (bits & ~GRANTABLE_BITS) != 0) {
            throw new IllegalArgumentException(
                    "The permission bits " + bits
                            + " cannot be granted: use 1 (put), 2 (get), 4 (describe) or their sums. To take a grant away, revoke it.");
        }
        return bits;
    }

    /** @throws IllegalArgumentException with a sentence for the user if nobody can have this id */
    public static String checkedPrincipal(String principal) {
        if (principal.isBlank()
                || principal.length() > MAX_PRINCIPAL_LENGTH
                || principal.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The principal '" + abbreviated(principal) + "' is not valid: use 1 to "
                    + MAX_PRINCIPAL_LENGTH + " characters without control characters.");
        }
        return principal;
    }

    private static Map<String, Integer> checkedNumber(Map<String, Integer> acl) {
        if (acl.size() > MAX_GRANTS) {
            throw new IllegalArgumentException("A topic has grants for at most " + MAX_GRANTS + " principals, not "
                    + acl.size() + "; grant to an organization instead.");
        }
        return acl;
    }

    static String abbreviated(String text) {
        return text.length() <= MAX_PRINCIPAL_LENGTH ? text : text.substring(0, MAX_PRINCIPAL_LENGTH) + "...";
    }
}
