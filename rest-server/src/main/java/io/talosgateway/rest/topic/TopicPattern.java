package io.talosgateway.rest.topic;

import java.util.function.Predicate;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A regular expression that names of topics match as a whole, in the syntax of RE2: without back references and look-around. A match
 * takes time in proportion to pattern and name, whatever the pattern. Counted repetition ({@code a{1000}}) is refused, because nested
 * counts make a pattern as large as their product.
 */
public record TopicPattern(String text) {

    /** Of characters. */
    public static final int MAX_LENGTH = 100;

    /** @throws IllegalArgumentException with a sentence for the user if it is no such expression */
    public TopicPattern {
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "A pattern of topics has 1 to %d characters, not %d.".formatted(MAX_LENGTH, text.length()));
        }
        if (text.indexOf('{') >= 0) {
            throw new IllegalArgumentException(
                    "The pattern '%s' has a '{': repetition with a count is not possible; use *, + or ?."
                            .formatted(text));
        }
        compiled(text);
    }

    private static Pattern compiled(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "The pattern '%s' is not a regular expression of RE2: %s.".formatted(text, e.getDescription()), e);
        }
    }

    /** Tells which names match. Not for several threads. */
    public Predicate<TopicName> matcher() {
        Pattern pattern = compiled(text);
        return name -> pattern.matches(name.value());
    }
}
