package io.talosgateway.loadgen.report;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** A comparison for people to read on a terminal. Stateless. */
final class ComparisonText {

    private static final String NONE = "-";
    private static final int DIFFERENCE_WIDTH = 20;

    private ComparisonText() {}

    /** The name of a run in a table: A, B, and so on. */
    static String letter(int run) {
        return run < 26 ? String.valueOf((char) ('A' + run)) : "#" + (run + 1);
    }

    static String of(Comparison comparison) {
        StringBuilder text = new StringBuilder();
        List<String> names = comparison.names();
        for (int run = 0; run < names.size(); run++) {
            line(text, "%s  %s", letter(run), names.get(run));
        }
        line(text, "");
        StringBuilder head = new StringBuilder(String.format(Locale.ROOT, "%-18s", ""));
        for (int run = 0; run < names.size(); run++) {
            head.append(String.format(Locale.ROOT, "%13s", letter(run)));
            if (run > 0) {
                head.append(String.format(Locale.ROOT, "%9s", letter(run) + "/A"));
            }
        }
        line(text, "%s", head);
        for (Comparison.Row row : comparison.rows()) {
            StringBuilder cells = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%-18s",
                    row.kind().text() + " " + row.measure().text()));
            for (int run = 0; run < names.size(); run++) {
                cells.append(String.format(Locale.ROOT, "%13s", value(row, run)));
                if (run > 0) {
                    cells.append(String.format(Locale.ROOT, "%9s", ratio(row, run)));
                }
            }
            line(text, "%s", cells);
        }
        differences(text, comparison.differences());
        return text.toString();
    }

    private static void differences(StringBuilder text, List<Comparison.Difference> differences) {
        if (!differences.isEmpty()) {
            line(text, "");
            line(text, "The runs are not alike:");
            for (Comparison.Difference difference : differences) {
                StringBuilder cells = new StringBuilder();
                for (int run = 0; run < difference.values().size(); run++) {
                    cells.append(run == 0 ? "" : "; ")
                            .append(letter(run))
                            .append(' ')
                            .append(difference.values().get(run));
                }
                line(text, "  %-" + DIFFERENCE_WIDTH + "s %s", difference.name(), cells);
            }
        }
    }

    static String value(Comparison.Row row, int run) {
        OptionalDouble value = row.values().get(run);
        return value.isEmpty()
                ? NONE
                : String.format(Locale.ROOT, "%,." + row.measure().decimals() + "f", value.getAsDouble());
    }

    static String ratio(Comparison.Row row, int run) {
        OptionalDouble ratio = row.ratio(run);
        return ratio.isEmpty() ? NONE : String.format(Locale.ROOT, "%,.2f", ratio.getAsDouble());
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}
