package io.talosgateway.rest.journal.file;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.rest.journal.JournalId;

/**
 * Names a journal file: number {@code sequence}, from 0, of a lane.
 *
 * @param lane letters, digits and {@code -}
 */
public record JournalFileId(JournalId journal, String lane, int sequence) {

    /** By lane and sequence, for files of one journal. */
    public static final Comparator<JournalFileId> IN_ORDER =
            Comparator.comparing(JournalFileId::lane).thenComparing(JournalFileId::sequence);

    private static final Pattern NAME = Pattern.compile("([a-z0-9-]+)-(\\d{8})\\.journal");

    public String path() {
        return journal.directory() + "/" + name();
    }

    public String name() {
        return "%s-%08d.journal".formatted(lane, sequence);
    }

    /** Where the footer is when it could not be written into the file itself. */
    public String detachedFooterPath() {
        return stem() + ".footer";
    }

    private String stem() {
        return "%s/%s-%08d".formatted(journal.directory(), lane, sequence);
    }

    /** The id of the file with this name in the journal's directory; empty if it is not a journal file. */
    public static Optional<JournalFileId> parse(JournalId journal, String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches()
                ? Optional.of(new JournalFileId(journal, matcher.group(1), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    /** Whether a file with this name is a journal file. */
    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    @Override
    public String toString() {
        return path();
    }
}
