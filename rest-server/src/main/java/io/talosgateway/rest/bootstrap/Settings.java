package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.talosgateway.rest.config.DataSize;
import org.jspecify.annotations.Nullable;

/**
 * Configuration as text, read key by key. What nobody reads is unknown, and refused with the nearest known key. Remembers
 * the default of every key that is read. For one thread.
 */
final class Settings {

    /** In front of the name of a file that holds a secret. */
    static final String FILE = "@";

    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");
    /** Keys that were removed, with what replaced them. None yet. */
    private static final Map<String, String> REMOVED = Map.of();

    private final Map<String, String> values;
    private final Map<String, String> defaults = new TreeMap<>();
    private final Map<String, String> kinds = new TreeMap<>();
    private final List<String> prefixes = new ArrayList<>();
    private final Set<String> secrets = new TreeSet<>();

    Settings(Map<String, String> values) {
        this.values = new HashMap<>(values);
    }

    /** The defaults of all keys read, by key. */
    Map<String, String> defaults() {
        return defaults;
    }

    /** What values each key read takes, in a few words. */
    Map<String, String> kinds() {
        return kinds;
    }

    String string(String key, String otherwise) {
        return read(key, otherwise, "text");
    }

    private String read(String key, String otherwise, String kind) {
        defaults.put(key, otherwise);
        kinds.put(key, kind);
        String value = values.get(key);
        return value == null || value.isBlank() ? otherwise : value.trim();
    }

    @Nullable
    String optional(String key) {
        String value = string(key, "");
        return value.isEmpty() ? null : value;
    }

    /** A secret: the value itself or, behind an {@code @}, the file that holds it. */
    @Nullable
    String secret(String key) {
        secrets.add(key);
        String value = read(key, "", "secret");
        if (!value.startsWith(FILE)) {
            return value.isEmpty() ? null : value;
        }
        Path file = Path.of(value.substring(FILE.length()));
        String content;
        try {
            content = Files.readString(file).strip();
        } catch (IOException e) {
            throw new ConfigException("%s: the file %s cannot be read (%s)".formatted(key, file, e), e);
        }
        if (content.isEmpty()) {
            throw new ConfigException("%s: the file %s is empty".formatted(key, file));
        }
        return content;
    }

    /** The keys of all secrets read. */
    Set<String> secrets() {
        return secrets;
    }

    /** Values that are separated by commas; none by default. */
    Set<String> list(String key) {
        return Stream.of(read(key, "", "list").split(","))
                .map(String::trim)
                .filter(value -> !value.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** One of a few values, by name. */
    <T> T choice(String key, Map<String, T> choices, String otherwise) {
        String names = String.join(" or ", new TreeSet<>(choices.keySet()));
        String value = read(key, otherwise, names);
        T choice = choices.get(value);
        if (choice == null) {
            throw new ConfigException("%s must be %s, not '%s'".formatted(key, names, value));
        }
        return choice;
    }

    int integer(String key, int otherwise) {
        String value = read(key, Integer.toString(otherwise), "number");
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new ConfigException("%s must be a whole number, not '%s'".formatted(key, value));
        }
    }

    double number(String key, double otherwise) {
        String value = string(key, Double.toString(otherwise));
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new ConfigException("%s must be a number such as 0.01, not '%s'".formatted(key, value));
        }
    }

    boolean bool(String key, boolean otherwise) {
        String value = read(key, Boolean.toString(otherwise), "true or false");
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new ConfigException("%s must be true or false, not '%s'".formatted(key, value));
        };
    }

    DataSize size(String key, DataSize otherwise) {
        String value = read(key, otherwise.toString(), "size");
        try {
            return DataSize.parse(value);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new ConfigException("%s: %s".formatted(key, e.getMessage()));
        }
    }

    Duration duration(String key, Duration otherwise) {
        String value = read(key, text(otherwise), "duration");
        Matcher matcher = DURATION.matcher(value.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new ConfigException(
                    "%s must be a duration like 500ms, 30s, 15m, 24h or 7d, not '%s'".formatted(key, value));
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }

    /** All values whose key starts with the prefix, by the rest of the key. */
    Map<String, String> startingWith(String prefix) {
        prefixes.add(prefix);
        Map<String, String> found = new TreeMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value.trim());
            }
        });
        return found;
    }

    private static String text(Duration duration) {
        long ms = duration.toMillis();
        if (ms % 1000 != 0) {
            return ms + "ms";
        }
        long seconds = ms / 1000;
        if (seconds % 86_400 == 0 && seconds > 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3600 == 0 && seconds > 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + "m" : seconds + "s";
    }

    /** Refuses keys that nobody has read. */
    void refuseUnknown() {
        for (String key : new TreeSet<>(values.keySet())) {
            if (defaults.containsKey(key) || prefixes.stream().anyMatch(key::startsWith)) {
                continue;
            }
            String replacement = REMOVED.get(key);
            if (replacement != null) {
                throw new ConfigException("The configuration key '%s' was removed; %s".formatted(key, replacement));
            }
            throw new ConfigException(
                    "There is no configuration key '%s'. Did you mean '%s'?".formatted(key, nearest(key)));
        }
    }

    private String nearest(String key) {
        List<String> below = defaults.keySet().stream()
                .filter(known -> known.startsWith(key + "."))
                .toList();
        return (below.isEmpty() ? defaults.keySet() : below)
                .stream()
                        .min(Comparator.comparingInt(known -> distance(key, known)))
                        .orElse("");
    }

    /** Levenshtein distance: edits that make one of the other. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int column = 0; column <= b.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= a.length(); row++) {
            int[] current = new int[b.length() + 1];
            current[0] = row;
            for (int column = 1; column <= b.length(); column++) {
                int replaced = previous[column - 1] + (a.charAt(row - 1) == b.charAt(column - 1) ? 0 : 1);
                current[column] = Math.min(replaced, 1 + Math.min(previous[column], current[column - 1]));
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
