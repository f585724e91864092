package io.talosgateway.dashboards;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What queries of Prometheus ask for. It finds names and labels, and understands nothing else of the language. */
public final class Queries {

    private static final Pattern SELECTOR =
            Pattern.compile("\\b((?:talos|jvm|process)_[a-z0-9_]+|up)\\b(?:\\{((?:[^}\"]|\"[^\"]*\")*)\\})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(=~|!=|!~|=)\\s*\"([^\"]*)\"");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|without|group_left)\\s*\\(([^)]*)\\)");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    /** Labels that Prometheus adds. */
    private static final Set<String> ADDED = Set.of("instance", "job");

    private Queries() {}

    /** A line of {@code /metrics}. */
    public record Sample(String name, Map<String, String> labels) {}

    private record Condition(String label, String operator, String value) {

        boolean holds(Map<String, String> labels) {
            String is = labels.getOrDefault(label, "");
            return switch (operator) {
                case "=" -> is.equals(value);
                case "!=" -> !is.equals(value);
                case "=~" -> is.matches(value);
                default -> !is.matches(value);
            };
        }
    }

    /** @param metrics pages of one or more gateways */
    public static List<Sample> samples(String metrics) {
        return metrics.lines()
                .filter(line -> !line.startsWith("#"))
                .map(SAMPLE::matcher)
                .filter(Matcher::matches)
                .map(sample -> new Sample(sample.group(1), labels(sample.group(2))))
                .toList();
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new TreeMap<>();
        if (text != null) {
            LABEL.matcher(text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        }
        return labels;
    }

    /** What a query asks for and is not there; empty if all is. */
    public static Set<String> missing(String query, List<Sample> samples) {
        Set<String> missing = new TreeSet<>();
        Set<String> known = new TreeSet<>(ADDED);
        Matcher selectors = SELECTOR.matcher(withoutGroupings(query));
        boolean any = false;
        while (selectors.find()) {
            any = true;
            String name = selectors.group(1);
            List<Condition> conditions = conditions(selectors.group(2));
            List<Sample> found = samples.stream()
                    .filter(sample -> sample.name.equals(name))
                    .filter(sample -> conditions.stream().allMatch(condition -> condition.holds(sample.labels)))
                    .toList();
            found.forEach(sample -> known.addAll(sample.labels.keySet()));
            if (found.isEmpty()) {
                missing.add(selectors.group());
            }
        }
        if (!any) {
            missing.add("any metric in " + query);
        }
        groupings(query).stream()
                .filter(label -> !known.contains(label))
                .forEach(label -> missing.add("label " + label + " in " + query));
        return missing;
    }

    private static List<Condition> conditions(String text) {
        List<Condition> conditions = new ArrayList<>();
        if (text != null) {
            MATCHER.matcher(text)
                    .results()
                    .filter(matcher -> !ADDED.contains(matcher.group(1)))
                    .forEach(matcher ->
                            conditions.add(new Condition(matcher.group(1), matcher.group(2), matcher.group(3))));
        }
        return conditions;
    }

    private static String withoutGroupings(String query) {
        return GROUPING.matcher(query).replaceAll("");
    }

    private static Set<String> groupings(String query) {
        Set<String> labels = new TreeSet<>();
        GROUPING.matcher(query).results().forEach(grouping -> {
            for (String label : grouping.group(1).split(",", -1)) {
                if (!label.isBlank()) {
                    labels.add(label.trim());
                }
            }
        });
        return labels;
    }
}
