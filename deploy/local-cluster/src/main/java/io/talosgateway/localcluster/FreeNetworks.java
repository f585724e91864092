package io.talosgateway.localcluster;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds private addresses that lead nowhere yet. The search begins at a random place, so that two clusters that are made at
 * once seldom choose the same.
 */
final class FreeNetworks {

    /** Bits that the addresses of one cluster have in common. */
    static final int LENGTH = 24;

    private static final int NUMBERS = 256;
    /** From 10.200.0 to 10.249.255, and then 192.168.0 to 192.168.255. */
    private static final int CANDIDATES = 51 * NUMBERS;

    private static final Pattern ROUTE =
            Pattern.compile("(?:[a-z]+\\s+)?(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)(?:/(\\d+))?(?:\\s.*)?");

    private FreeNetworks() {}

    /** Addresses whose first bits are those of {@code first}. */
    private record Range(long first, int length) {

        boolean overlaps(Range other) {
            int common = Math.min(length, other.length);
            return common == 0 || first >>> (Integer.SIZE - common) == other.first >>> (Integer.SIZE - common);
        }
    }

    /**
     * First three numbers of the addresses.
     *
     * @param routes of the machine, in all tables, one a line as {@code ip route} prints them; that of everything else does
     *     not count
     * @throws ClusterFailure if there are none
     */
    static String find(List<String> routes, RandomGenerator random) {
        List<Range> taken = routes.stream()
                .map(FreeNetworks::range)
                .flatMap(Optional::stream)
                .toList();
        int start = random.nextInt(CANDIDATES);
        for (int tried = 0; tried < CANDIDATES; tried++) {
            String prefix = prefix((start + tried) % CANDIDATES);
            Range candidate = range(prefix + ".0/" + LENGTH).orElseThrow();
            if (taken.stream().noneMatch(candidate::overlaps)) {
                return prefix;
            }
        }
        throw new ClusterFailure("The machine has routes to all addresses from 10.200.0.0 to 10.249.255.255 and from "
                + "192.168.0.0 to 192.168.255.255, so none are left for --networks; leave it out");
    }

    private static String prefix(int candidate) {
        int block = candidate / NUMBERS;
        return (block < 50 ? "10." + (200 + block) : "192.168") + "." + candidate % NUMBERS;
    }

    private static Optional<Range> range(String route) {
        Matcher matcher = ROUTE.matcher(route.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long first = 0;
        for (int group = 1; group <= 4; group++) {
            first = first << 8 | Integer.parseInt(matcher.group(group));
        }
        String length = matcher.group(5);
        return Optional.of(new Range(first, length == null ? Integer.SIZE : Integer.parseInt(length)));
    }
}
