package io.talosgateway.loadgen.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What all processors together have done since the machine began, in ticks; both 0 where there is no {@code /proc/stat}.
 *
 * @param all ticks, whatever was done
 * @param idle those with nothing to do, or with nothing to do until the disk was ready
 */
public record MachineSnapshot(long all, long idle) {

    private static final int IDLE = 3;
    private static final int WAITING_FOR_DISK = 4;
    /** What comes behind, of guests, is in the first ones already. */
    private static final int FIELDS = 8;

    public static MachineSnapshot now() {
        try {
            return parse(Files.readAllLines(Path.of("/proc/stat")));
        } catch (IOException e) {
            return new MachineSnapshot(0, 0);
        }
    }

    static MachineSnapshot parse(List<String> lines) {
        long[] ticks = Arrays.stream(lines.get(0).trim().split(" +"))
                .skip(1)
                .limit(FIELDS)
                .mapToLong(Long::parseLong)
                .toArray();
        return new MachineSnapshot(Arrays.stream(ticks).sum(), ticks[IDLE] + ticks[WAITING_FOR_DISK]);
    }

    /** The share of the time in which processors were busy, from this look to a later one, in percent; NaN if unknown. */
    public double busyPercentUntil(MachineSnapshot later) {
        long ticks = later.all - all;
        return ticks <= 0 ? Double.NaN : 100.0 * (ticks - (later.idle - idle)) / ticks;
    }
}
