package io.talosgateway.rest.topic;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Topics that one consumer group reads together, under a name.
 *
 * @param ownerId the principal or organization that may change it
 */
public record TopicGroup(TopicGroupName name, String ownerId, Definition definition) {

    /** Most names in a list of a group. */
    public static final int MAX_NAMES = 100;

    /** @throws IllegalArgumentException with a sentence for the user if the owner is not valid */
    public TopicGroup {
        if (ownerId.isBlank()
                || ownerId.length() > Grants.MAX_PRINCIPAL_LENGTH
                || ownerId.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "The owner '%s' of the topic group is not valid: use 1 to %d characters without control characters."
                            .formatted(Grants.abbreviated(ownerId), Grants.MAX_PRINCIPAL_LENGTH));
        }
    }

    /** Which topics are in a group. */
    public sealed interface Definition permits Matching, Listed {

        /** Tells which names are in it. Not for several threads. */
        Predicate<TopicName> members();
    }

    /**
     * The topics whose names match, those of later as well.
     *
     * @param excluded names that match and are not in it
     */
    public record Matching(TopicPattern pattern, List<TopicName> excluded) implements Definition {

        /** @throws IllegalArgumentException with a sentence for the user if there are too many names */
        public Matching {
            excluded = checked(excluded);
        }

        @Override
        public Predicate<TopicName> members() {
            Set<TopicName> without = Set.copyOf(excluded);
            return pattern.matcher().and(name -> !without.contains(name));
        }
    }

    /** The topics of these names, as far as there are such. */
    public record Listed(List<TopicName> topics) implements Definition {

        /** @throws IllegalArgumentException with a sentence for the user if there are too many names, or none */
        public Listed {
            if (topics.isEmpty()) {
                throw new IllegalArgumentException("A topic group needs a pattern or names of topics.");
            }
            topics = checked(topics);
        }

        @Override
        public Predicate<TopicName> members() {
            return Set.copyOf(topics)::contains;
        }
    }

    private static List<TopicName> checked(List<TopicName> names) {
        if (names.size() > MAX_NAMES) {
            throw new IllegalArgumentException(
                    "A topic group names at most %d topics, not %d; use a pattern.".formatted(MAX_NAMES, names.size()));
        }
        return names.stream().distinct().toList();
    }

    public TopicGroup with(Definition newDefinition) {
        return new TopicGroup(name, ownerId, newDefinition);
    }
}
