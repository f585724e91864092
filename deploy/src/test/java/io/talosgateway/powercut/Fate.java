package io.talosgateway.powercut;

import java.util.Random;

/** Decides what of the unforced work of a disk survives a power cut. For one thread. */
public final class Fate {

    private static final int[] SECTOR_BYTES = {512, 4096};
    private static final double[] SHARES = {0, 0, 0.1, 0.5, 0.9, 1};

    private final Random random;
    private final int sectorBytes;
    private final double bytesKept;
    private final double namesKept;
    private final boolean namesInOrder;
    private boolean nameLost;

    private Fate(Random random, int sectorBytes, double bytesKept, double namesKept, boolean namesInOrder) {
        this.random = random;
        this.sectorBytes = sectorBytes;
        this.bytesKept = bytesKept;
        this.namesKept = namesKept;
        this.namesInOrder = namesInOrder;
    }

    /** Some lose all, some nothing, most some of it; some keep names in the order in which they were changed. */
    public static Fate of(Random random) {
        return new Fate(
                random,
                SECTOR_BYTES[random.nextInt(SECTOR_BYTES.length)],
                SHARES[random.nextInt(SHARES.length)],
                SHARES[random.nextInt(SHARES.length)],
                random.nextBoolean());
    }

    /** Everything survives, as when a process is killed. */
    public static Fate everything() {
        return new Fate(new Random(0), SECTOR_BYTES[1], 1, 1, false);
    }

    int sectorBytes() {
        return sectorBytes;
    }

    /** How many of the writes to a sector, the first ones. */
    int kept(int writes) {
        if (bytesKept == 1) {
            return writes;
        }
        if (random.nextDouble() >= bytesKept) {
            return 0;
        }
        return random.nextBoolean() ? writes : 1 + random.nextInt(writes);
    }

    boolean keepsChange() {
        return random.nextDouble() < bytesKept;
    }

    boolean keepsLength() {
        return bytesKept == 1 || random.nextInt(4) == 0;
    }

    /** Asked once for each change of names, in the order in which they were made. */
    boolean keepsNames() {
        boolean kept = random.nextDouble() < namesKept && !(namesInOrder && nameLost);
        nameLost |= !kept;
        return kept;
    }

    @Override
    public String toString() {
        return "keeps %.0f %% of unforced bytes (sectors of %d) and %.0f %% of unforced names%s"
                .formatted(bytesKept * 100, sectorBytes, namesKept * 100, namesInOrder ? " (in order)" : "");
    }
}
