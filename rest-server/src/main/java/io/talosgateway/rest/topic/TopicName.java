package io.talosgateway.rest.topic;

/**
 * The bare name of a topic, unique in a cluster: 1 to 80 letters, digits, {@code _} and {@code -}, not starting with
 * {@code _} or {@code -} and not ending with {@code _}. The Talos SDKs check the same rule.
 */
public record TopicName(String value) implements Comparable<TopicName> {

    private static final int MAX_LENGTH = 80;

    private static final String CONSUMER_GROUPS_NAME = "__consumer_groups";
    private static final String TRANSACTIONS_NAME = "__transactions";

    /** The topic that holds the state of consumer groups. It breaks the rule, so that no topic of a user has this name. */
    public static final TopicName CONSUMER_GROUPS = new TopicName(CONSUMER_GROUPS_NAME);

    /** The topic that holds the state of transactions; likewise. */
    public static final TopicName TRANSACTIONS = new TopicName(TRANSACTIONS_NAME);

    /** @throws IllegalArgumentException with a sentence for the user if the name breaks the rule */
    public TopicName {
        if (!isValid(value) && !isReserved(value)) {
            throw new IllegalArgumentException(
                    "The topic name '" + abbreviated(value) + "' is not valid: use 1 to " + MAX_LENGTH
                            + " letters, digits, '_' and '-', not starting with '_' or '-' and not ending with '_'.");
        }
    }

    public static boolean isValid(String name) {
        int length = name.length();
        if (length == 0 || length > MAX_LENGTH) {
            return false;
        }
        for (int index = 0; index < length; index++) {
            char character = name.charAt(index);
            boolean letterOrDigit = (character >= 'a' && character <= 'z')
                    || (character >= 'A' && character <= 'Z')
                    || (character >= '0' && character <= '9');
            boolean allowed = letterOrDigit
                    || (character == '_' && index > 0 && index < length - 1)
                    || (character == '-' && index > 0);
            if (!allowed) {
                return false;
            }
        }
        return true;
    }

    /** Whether the name is that of a topic of the gateway itself. */
    public static boolean isReserved(String name) {
        return name.equals(CONSUMER_GROUPS_NAME) || name.equals(TRANSACTIONS_NAME);
    }

    /** Whether the topic is the gateway's own: no request reaches it. */
    public boolean isReserved() {
        return isReserved(value);
    }

    private static String abbreviated(String name) {
        return name.length() <= MAX_LENGTH + 20 ? name : name.substring(0, MAX_LENGTH) + "...";
    }

    @Override
    public int compareTo(TopicName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
