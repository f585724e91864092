package io.talosgateway.rest.auth;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import io.talosgateway.rest.topic.Permission;

/** Names for the permissions that keys mostly have. */
public enum KeyRole {
    READER(Permission.GET, Permission.DESCRIBE),
    WRITER(Permission.PUT, Permission.DESCRIBE),
    /** Whatever the owner may do. */
    FULL(Permission.values());

    private final int bits;

    KeyRole(Permission... permissions) {
        this.bits = Permission.bits(Set.of(permissions));
    }

    /**
     * The permissions of one role, or of several, such as {@code reader,writer}.
     *
     * @throws IllegalArgumentException with a sentence for the user if one of them does not exist
     */
    public static Set<Permission> permissions(String roles) {
        Set<Permission> all = EnumSet.noneOf(Permission.class);
        for (String name : roles.split(",", -1)) {
            all.addAll(Permission.ofBits(of(name.trim()).bits));
        }
        return all;
    }

    private static KeyRole of(String name) {
        return Arrays.stream(values())
                .filter(role -> role.text().equals(name))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException("There is no role '%s'; the roles are %s."
                        .formatted(
                                name, Arrays.stream(values()).map(KeyRole::text).collect(Collectors.joining(", ")))));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
