package io.talosgateway.rest.journal.file;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.rest.journal.JournalId;

/**
 * The name of an {@link IndexFile}. It has the checksum of the content, so that who writes the same again finds it there.
 *
 * @param first lowest sequence of its journal files
 * @param last highest
 * @param checksum CRC32C of the content
 */
public record IndexFileName(String lane, int first, int last, int checksum) {

    private static final Pattern NAME = Pattern.compile("([a-z0-9-]+)-(\\d{8})-(\\d{8})-([0-9a-f]{8})\\.index");

    /** Empty if it is not the name of an index file. */
    public static Optional<IndexFileName> parse(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches()
                ? Optional.of(new IndexFileName(
                        matcher.group(1),
                        Integer.parseInt(matcher.group(2)),
                        Integer.parseInt(matcher.group(3)),
                        Integer.parseUnsignedInt(matcher.group(4), 16)))
                : Optional.empty();
    }

    String path(JournalId journal) {
        return journal.directory() + "/" + this;
    }

    @Override
    public String toString() {
        return "%s-%08d-%08d-%08x.index".formatted(lane, first, last, checksum);
    }
}
