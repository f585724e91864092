package io.talosgateway.rest.journal;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which sealed files a journal has that somebody else writes or has written, and where to find out what they hold. Immutable.
 *
 * @param loose files that are in no index file, with their footers
 * @param indexed sequences of the journal files in each index file; a file that is not there any more was deleted
 */
record JournalCatalog(List<JournalFile> loose, Map<IndexFileName, BitSet> indexed) {

    static final JournalCatalog EMPTY = new JournalCatalog(List.of(), Map.of());

    /** The same files, of which those of one index file are loose. */
    JournalCatalog without(IndexFileName index, List<JournalFile> itsFiles) {
        Map<IndexFileName, BitSet> others = new HashMap<>(indexed);
        others.remove(index);
        return new JournalCatalog(
                Stream.concat(loose.stream(), itsFiles.stream()).toList(), others);
    }
}
