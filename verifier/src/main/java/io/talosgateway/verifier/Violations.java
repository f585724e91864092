package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** What was found wrong: the first few of each rule, and how many there are. Safe for use by any thread. */
final class Violations {

    private static final int MOST_OF_A_RULE = 5;

    private final Map<Rule, Long> counts = new EnumMap<>(Rule.class);
    private final Map<Rule, List<Violation>> first = new EnumMap<>(Rule.class);

    /**
     * A rule is broken.
     *
     * @param put null if it is not about a put
     * @param text a sentence that says where, what was expected, and what was found
     * @param lines details
     */
    record Violation(Rule rule, @Nullable PutId put, String text, List<String> lines) {}

    /** A put, of which its attempts can be shown. */
    record PutId(int writer, int number) {}

    void add(Rule rule, String text) {
        add(rule, text, List.of());
    }

    void add(Rule rule, String text, List<String> lines) {
        add(new Violation(rule, null, text, lines));
    }

    void add(Rule rule, int writer, int number, String text) {
        add(new Violation(rule, new PutId(writer, number), text, List.of()));
    }

    private synchronized void add(Violation violation) {
        counts.merge(violation.rule, 1L, Long::sum);
        List<Violation> ofRule = first.computeIfAbsent(violation.rule, rule -> new ArrayList<>());
        if (ofRule.size() < MOST_OF_A_RULE) {
            ofRule.add(violation);
        }
    }

    /** How often each rule was broken. */
    synchronized Map<Rule, Long> counts() {
        return new EnumMap<>(counts);
    }

    synchronized long count() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The first few of each rule. */
    synchronized List<Violation> first() {
        return first.values().stream().flatMap(List::stream).toList();
    }
}
