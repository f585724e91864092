package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What was found wrong: the first few of each rule, and how many there are. Safe for use by any thread. */
final class Violations {

    private static final int MOST_OF_A_RULE = 5;

    private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);
    private final Map<Rule, List<Violation>> first = new EnumMap<>(Rule.class);

    /**
     * A rule is broken.
     *
     * @param text a sentence that says where, what was expected, and what was found
     * @param attempts of the put that it is about, or operations that contradict each other
     */
    record Violation(String rule, String text, List<String> attempts) {}

    void add(Rule rule, String text) {
        add(rule, text, List::of);
    }

    /** @param attempts is asked if this is one of the first few */
    synchronized void add(Rule rule, String text, Supplier<List<String>> attempts) {
        counts.merge(rule, 1L, Long::sum);
        List<Violation> ofRule = first.computeIfAbsent(rule, any -> new ArrayList<>());
        if (ofRule.size() < MOST_OF_A_RULE) {
            ofRule.add(new Violation(rule.text(), text, attempts.get()));
        }
    }

    /** How often each rule was broken. */
    synchronized Map<Rule, Long> counts() {
        return new EnumMap<>(counts);
    }

    /** The first few of each rule. */
    synchronized List<Violation> first() {
        return first.values().stream().flatMap(List::stream).toList();
    }
}
