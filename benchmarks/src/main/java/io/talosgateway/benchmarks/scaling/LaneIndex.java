package io.talosgateway.benchmarks.scaling;

/**
 * How many index files a lane has, as the writer of a journal makes them ({@code IndexWriter}): of so many sealed files at first, and
 * of those of eight index files later, twice.
 *
 * @param indexFiles of the lane
 * @param loose sealed files that are in none
 */
record LaneIndex(long indexFiles, long loose) {

    private static final int MERGED = 8;
    private static final int LAST_LEVEL = 2;
    private static final double MOST_ROWS = 1 << 20;

    /**
     * The worst case of a lane of so many sealed files: of each level all but one of those that would be merged, and all but one
     * of the files that would be indexed.
     *
     * @param filesAtFirst files of a first index file
     * @param partitionsOfFile how many partitions each file has messages of
     */
    static LaneIndex most(long files, int filesAtFirst, double partitionsOfFile) {
        long size = Math.max(1, Math.min(filesAtFirst, (long) Math.ceil(MOST_ROWS / partitionsOfFile)));
        long loose = Math.min(files, size - 1);
        long indexFiles = 0;
        for (int level = 0; level < LAST_LEVEL && size * MERGED * partitionsOfFile <= MOST_ROWS; level++) {
            indexFiles += Math.min(files / size, MERGED - 1);
            size *= MERGED;
        }
        return new LaneIndex(indexFiles + files / size, loose);
    }
}
