package io.talosgateway.rest.topic;

import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/** What somebody may do with a topic. Each has the bit that the Talos SDKs give it (enum {@code Permission} of their IDL). */
public enum Permission {
    PUT(1),
    GET(2),
    /** To see that the topic exists, its settings and its offsets. */
    DESCRIBE(4),
    /** To change its settings, to delete its messages and the topic itself. Owners and administrators only. */
    CHANGE_TOPIC(8),
    /** To grant and revoke. Owners and administrators only. */
    CHANGE_PERMISSION(16);

    private final int bit;

    Permission(int bit) {
        this.bit = bit;
    }

    /** Its name in the JSON interface and in messages, such as {@code change-topic}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The one of these permissions that has the name, if one has. */
    public static Optional<Permission> named(@Nullable String text, Collection<Permission> permissions) {
        return permissions.stream()
                .filter(permission -> permission.text().equals(text))
                .findAny();
    }

    public int bit() {
        return bit;
    }

    public boolean isIn(int bits) {
        return (bits & bit) != 0;
    }

    /** The permissions whose bits are set; other bits are ignored. */
    public static Set<Permission> ofBits(int bits) {
        Set<Permission> permissions = EnumSet.noneOf(Permission.class);
        for (Permission permission : values()) {
            if (permission.isIn(bits)) {
                permissions.add(permission);
            }
        }
        return permissions;
    }

    /** The bits of the permissions. */
    public static int bits(Set<Permission> permissions) {
        return permissions.stream().mapToInt(Permission::bit).reduce(0, (a, b) -> a | b);
    }
}
