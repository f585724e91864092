package io.talosgateway.rest.journal.recovery;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.talosgateway.rest.journal.file.IndexFileName;
import io.talosgateway.rest.journal.file.JournalFile;

/**
 * Which sealed files a journal has that somebody else writes or has written, and where to find out what they hold. Immutable.
 *
 * @param ended whether these are all of its files: it was recovered
 * @param loose files that are in no index file, with their footers
 * @param indexed sequences of the journal files in each index file; a file that is not there any more was deleted
 */
public record JournalCatalog(boolean ended, List<JournalFile> loose, Map<IndexFileName, BitSet> indexed) {

    /** Of a journal, a file, an index file, or a partition in a file. */
    private static final int BYTES_PER_ENTRY = 200;

    public static final JournalCatalog EMPTY = new JournalCatalog(false, List.of(), Map.of());

    /** About what it takes in memory. */
    int memoryBytes() {
        long entries = 1L + indexed.size();
        for (JournalFile file : loose) {
            entries += 1 + file.partitions().size() + file.start().ends().size();
        }
        return (int) Math.min(Integer.MAX_VALUE, BYTES_PER_ENTRY * entries);
    }

    /** The same files, of which those of one index file are loose. */
    JournalCatalog without(IndexFileName index, List<JournalFile> itsFiles) {
        Map<IndexFileName, BitSet> others = new HashMap<>(indexed);
        others.remove(index);
        return new JournalCatalog(
                ended, Stream.concat(loose.stream(), itsFiles.stream()).toList(), others);
    }
}
