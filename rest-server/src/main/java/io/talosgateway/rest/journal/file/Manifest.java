package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

import com.google.common.collect.ImmutableSet;
import io.talosgateway.wire.message.ByteSlice;

/**
 * The content of a {@code MANIFEST}: which files of a journal count. All others are deleted, so nothing is taken for a list that
 * is not a whole one.
 *
 * <pre>
 *  TGM2
 *  file, name of a journal file
 *  index, name of an index file, sequences of the journal files in it: 1-40,42
 *  END, number of lines before, CRC32C of all bytes before this line as 8 hexadecimal digits
 * </pre>
 *
 * Version 1 has lines with names of journal files alone. Immutable.
 *
 * @param files names of journal files that are in no index file
 * @param indexed sequences of the journal files in each index file; a file that is not there any more was deleted
 */
public record Manifest(ImmutableSet<String> files, Map<IndexFileName, BitSet> indexed) {

    private static final String MAGIC = "TGM";
    private static final String VERSION = "2";
    private static final String VERSION_OF_NAMES = "1";
    private static final String FILE = "file ";
    private static final String INDEX = "index ";
    private static final String END = "END ";

    /** Of sequences, which have eight digits at most. */
    private static final Pattern RANGE = Pattern.compile("(\\d{1,8})(?:-(\\d{1,8}))?");

    public ByteSlice encode() {
        StringBuilder text = new StringBuilder(MAGIC).append(VERSION).append('\n');
        files.forEach(name -> text.append(FILE).append(name).append('\n'));
        indexed.forEach((name, sequences) -> text.append(INDEX)
                .append(name)
                .append(' ')
                .append(ranges(sequences))
                .append('\n'));
        return ByteSlice.utf8(text + endLine(text.toString(), files.size() + indexed.size()));
    }

    /** @throws IOException with a sentence for the operator if this is not a whole manifest of a version that is read */
    public static Manifest decode(ByteSlice content, String path) throws IOException {
        String text = content.utf8();
        List<String> lines = new ArrayList<>(text.lines().toList());
        String version = lines.isEmpty() || !lines.get(0).matches(MAGIC + "\\d+")
                ? ""
                : lines.get(0).substring(MAGIC.length());
        boolean known = version.equals(VERSION) || version.equals(VERSION_OF_NAMES);
        if (!version.isEmpty() && !known) {
            throw new IOException(
                    "%s was written by another version of the gateway: its format is %s, this one reads %s and earlier. Start the version that wrote it."
                            .formatted(path, version, VERSION));
        }
        int endAt = text.lastIndexOf(END);
        if (!known || endAt < 0 || !text.substring(endAt).equals(endLine(text.substring(0, endAt), lines.size() - 2))) {
            throw new IOException(
                    "%s is damaged or incomplete (%d bytes), so that nobody knows which files of the journal count. Restore it from a backup; nothing was deleted."
                            .formatted(path, content.length()));
        }
        List<String> entries = lines.subList(1, lines.size() - 1);
        if (version.equals(VERSION)) {
            return decode(entries, path);
        }
        return decode(entries.stream().map(FILE::concat).toList(), path);
    }

    private static Manifest decode(List<String> entries, String path) throws IOException {
        List<String> files = new ArrayList<>();
        Map<IndexFileName, BitSet> indexed = new LinkedHashMap<>();
        for (String entry : entries) {
            String[] words = entry.split(" ", -1);
            if (entry.startsWith(FILE) && words.length == 2 && JournalFileId.isName(words[1])) {
                files.add(words[1]);
            } else if (entry.startsWith(INDEX) && words.length == 3) {
                indexed.put(
                        IndexFileName.parse(words[1]).orElseThrow(() -> notUnderstood(path, entry)),
                        sequences(words[2]).orElseThrow(() -> notUnderstood(path, entry)));
            } else {
                throw notUnderstood(path, entry);
            }
        }
        return new Manifest(ImmutableSet.copyOf(files), indexed);
    }

    private static IOException notUnderstood(String path, String entry) {
        return new IOException(path + " has a line that is not understood: " + entry);
    }

    /** Whether a journal file counts. */
    public boolean counts(JournalFileId file) {
        return files.contains(file.name())
                || indexed.entrySet().stream()
                        .anyMatch(one -> one.getKey().lane().equals(file.lane())
                                && one.getValue().get(file.sequence()));
    }

    private static String ranges(BitSet sequences) {
        List<String> ranges = new ArrayList<>();
        for (int from = sequences.nextSetBit(0); from >= 0; ) {
            int end = sequences.nextClearBit(from);
            ranges.add(end == from + 1 ? "" + from : from + "-" + (end - 1));
            from = sequences.nextSetBit(end);
        }
        return String.join(",", ranges);
    }

    /** Empty if these are no ranges. */
    private static Optional<BitSet> sequences(String ranges) {
        BitSet sequences = new BitSet();
        for (String range : ranges.split(",", -1)) {
            Matcher matcher = RANGE.matcher(range);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            int from = Integer.parseInt(matcher.group(1));
            int last = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
            if (last < from) {
                return Optional.empty();
            }
            sequences.set(from, last + 1);
        }
        return Optional.of(sequences);
    }

    private static String endLine(String before, int names) {
        ByteSlice bytes = ByteSlice.utf8(before);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), bytes.offset(), bytes.length());
        return "%s%d %08x\n".formatted(END, names, crc.getValue());
    }
}
