package io.talosgateway.rest.http.rest;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyAdmin.Listed;
import io.talosgateway.rest.auth.KeyAdmin.Source;

/** A place in the list of keys, which stays the same when keys are created and deleted. */
record KeyCursor(Source source, long createdAtMs, String id) implements Comparable<KeyCursor> {

    private static final Comparator<KeyCursor> ORDER = Comparator.comparing(KeyCursor::source)
            .thenComparing(KeyCursor::createdAtMs)
            .thenComparing(KeyCursor::id);
    private static final Pattern TEXT = Pattern.compile("([a-z]{1,10})\\.(\\d{1,18})\\.(.{1,200})");

    static KeyCursor of(Listed listed) {
        AccessKey key = listed.key();
        return new KeyCursor(listed.source(), key == null ? 0 : key.createdAtMs(), listed.id());
    }

    static KeyCursor parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (matcher.matches()) {
            for (Source source : Source.values()) {
                if (name(source).equals(matcher.group(1))) {
                    return new KeyCursor(source, Long.parseLong(matcher.group(2)), matcher.group(3));
                }
            }
        }
        throw RestCall.malformed("The query parameter after must be the 'next' of an answer, such as %s.0.ID, not '%s'."
                .formatted(name(Arrays.asList(Source.values()).get(0)), text));
    }

    private static String name(Source source) {
        return source.name().toLowerCase(Locale.ROOT);
    }

    /** What {@link #parse} reads. */
    String text() {
        return name(source) + "." + createdAtMs + "." + id;
    }

    @Override
    public int compareTo(KeyCursor other) {
        return ORDER.compare(this, other);
    }
}
