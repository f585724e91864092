package io.talosgateway.rest.auth;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.talosgateway.rest.topic.Permission;
import org.jspecify.annotations.Nullable;

/**
 * What a key may be used for, at most: it never allows more than its owner may do.
 *
 * @param permissions those that the key carries
 * @param topics patterns of names, in which {@code *} stands for any characters; a topic must match one of them
 */
public record KeyScope(Set<Permission> permissions, List<String> topics) {

    /** Whatever the owner may do. */
    public static final KeyScope ALL = new KeyScope(Set.of(Permission.values()), List.of("*"));

    private static final int MAX_TOPICS = 100;
    private static final Pattern TOPIC_PATTERN = Pattern.compile("[A-Za-z0-9_*-]{1,100}");

    public KeyScope {
        permissions = Set.copyOf(permissions);
        topics = List.copyOf(topics);
    }

    /**
     * What was written down for people.
     *
     * @param permissions by name, such as {@code get}; null for all
     * @param topics patterns; null for all topics
     * @throws IllegalArgumentException with a sentence for the user
     */
    public static KeyScope of(@Nullable List<String> permissions, @Nullable List<String> topics) {
        KeyScope scope = new KeyScope(
                permissions == null
                        ? ALL.permissions
                        : permissions.stream().map(KeyScope::permission).collect(Collectors.toSet()),
                topics == null ? ALL.topics : checkedTopics(topics));
        return scope.equals(ALL) ? ALL : scope;
    }

    private static Permission permission(@Nullable String name) {
        return Permission.named(name, ALL.permissions)
                .orElseThrow(() -> new IllegalArgumentException("There is no permission '%s'; the permissions are %s."
                        .formatted(name, String.join(", ", ALL.permissionNames()))));
    }

    private static List<String> checkedTopics(List<String> topics) {
        if (topics.isEmpty() || topics.size() > MAX_TOPICS) {
            throw new IllegalArgumentException(
                    "A key has 1 to %d patterns of topics, not %d.".formatted(MAX_TOPICS, topics.size()));
        }
        for (String topic : topics) {
            if (topic == null || !TOPIC_PATTERN.matcher(topic).matches()) {
                throw new IllegalArgumentException(
                        "'%s' is not a pattern of topics: use 1 to 100 letters, digits, '_', '-' and '*'."
                                .formatted(topic));
            }
        }
        return topics;
    }

    /** The permissions by name, in the order of {@link Permission}. */
    public List<String> permissionNames() {
        return permissions.isEmpty()
                ? List.of()
                : EnumSet.copyOf(permissions).stream().map(Permission::text).toList();
    }

    /** Whether the key may be used so with the topic of this name. */
    public boolean allows(Permission permission, String topic) {
        if (!permissions.contains(permission)) {
            return false;
        }
        // Each put asks: no stream, which would be an object.
        for (int index = 0; index < topics.size(); index++) {
            if (matches(topics.get(index), topic)) {
                return true;
            }
        }
        return false;
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
