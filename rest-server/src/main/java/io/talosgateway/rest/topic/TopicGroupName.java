package io.talosgateway.rest.topic;

/** The name of a topic group, unique among the groups of a cluster. The rule is that of {@link TopicName}. */
public record TopicGroupName(String value) {

    /** @throws IllegalArgumentException with a sentence for the user if the name breaks the rule */
    public TopicGroupName {
        if (!TopicName.isValid(value)) {
            throw new IllegalArgumentException("The name '" + Grants.abbreviated(value)
                    + "' of a topic group is not valid: use 1 to 80 letters, digits, '_' and '-', not starting with '_' or '-' "
                    + "and not ending with '_'.");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
