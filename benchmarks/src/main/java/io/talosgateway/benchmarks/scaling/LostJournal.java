package io.talosgateway.benchmarks.scaling;

import io.talosgateway.rest.journal.JournalConfig;

/**
 * What a lost host has left: the worst case of its index files and of the files that are in none.
 *
 * @param names in its directory
 * @param indexFiles that its writer made
 * @param looseFiles sealed files that are in none of them
 * @param footerBytes of a file
 * @param scannedBytes of a file that was open
 * @param headBytes of all index files, and of the manifest: every host reads them
 * @param rowBytes of the partitions that one host takes
 * @param keyedFiles that a host reads for puts with idempotency keys, if puts have them
 * @param keyedBytes of these
 */
record LostJournal(
        long names,
        int lanes,
        long indexFiles,
        long looseFiles,
        double footerBytes,
        double scannedBytes,
        double headBytes,
        double rowBytes,
        long keyedFiles,
        double keyedBytes) {

    /** In the head of an index file, for each journal file and for each partition; in the manifest, for each index file. */
    private static final double HEAD_FILE_BYTES = 37;

    private static final double HEAD_PARTITION_BYTES = 48;
    private static final double MANIFEST_LINE_BYTES = 64;
    /** Of a partition in an index file, for each journal file; measured, as docs/scaling-results.md says. */
    private static final double ROW_BYTES = 22;

    /**
     * @param partitions that one host takes
     * @param keyed whether puts have idempotency keys
     */
    static LostJournal of(Load load, double partitions, boolean keyed) {
        LaneIndex lane = LaneIndex.most(load.filesOfLane(), JournalConfig.INDEXED_FILES, load.partitionsOfFile());
        long indexFiles = load.lanes() * lane.indexFiles();
        // And one of each lane, which the first host writes.
        long allIndexFiles = indexFiles + load.lanes();
        long keyedFiles = keyed ? load.keyedFilesOfLane() : 0;
        return new LostJournal(
                load.journalFiles() + load.lanes() + indexFiles,
                load.lanes(),
                indexFiles,
                load.lanes() * lane.loose(),
                load.footerBytes(),
                load.fileBytes() / 2,
                headBytes(load.journalFiles(), allIndexFiles * load.partitionsOfFile())
                        + allIndexFiles * MANIFEST_LINE_BYTES,
                partitions * load.filesOfLane() * ROW_BYTES,
                keyedFiles,
                keyedFiles * load.keyedBytesOfFile());
    }

    /** @param entries partitions of each index file, together */
    static double headBytes(long files, double entries) {
        return files * HEAD_FILE_BYTES + entries * HEAD_PARTITION_BYTES;
    }

    /** When the first host has been there: it indexes the files that are in no index file, and those that were open. */
    long allIndexFiles() {
        return indexFiles + lanes;
    }

    /** That one host reads when the journal was recovered. */
    double indexBytes() {
        return headBytes + rowBytes;
    }
}
