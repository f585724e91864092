package io.talosgateway.rest.auth;

import java.util.List;
import java.util.Set;

import io.talosgateway.rest.topic.Permission;

/**
 * What a key may be used for, at most: it never allows more than its owner may do.
 *
 * @param permissions those that the key carries
 * @param topics patterns of names, in which {@code *} stands for any characters; a topic must match one of them
 */
public record KeyScope(Set<Permission> permissions, List<String> topics) {

    /** Whatever the owner may do. */
    public static final KeyScope ALL = new KeyScope(Set.of(Permission.values()), List.of("*"));

    public KeyScope {
        permissions = Set.copyOf(permissions);
        topics = List.copyOf(topics);
    }

    /** Whether the key may be used so with the topic of this name. */
    public boolean allows(Permission permission, String topic) {
        return permissions.contains(permission) && topics.stream().anyMatch(pattern -> matches(pattern, topic));
    }

    /** Greedy with one point to go back to, so that no pattern takes more than the product of the lengths. */
    private static boolean matches(String pattern, String name) {
        int p = 0;
        int n = 0;
        int star = -1;
        int afterStar = 0;
        while (n < name.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p;
                p++;
                afterStar = n;
            } else if (p < pattern.length() && pattern.charAt(p) == name.charAt(n)) {
                p++;
                n++;
            } else if (star >= 0) {
                afterStar++;
                n = afterStar;
                p = star + 1;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }
}
