package io.talosgateway.rest.placement;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;

/**
 * Hosts as points on a circle: what hashes to somewhere belongs to the next point. Each host has many points, so that what it
 * leaves is shared by all others. After Karger et al., "Consistent Hashing and Random Trees", 1997. Immutable.
 */
final class HashRing {

    /** With these, hosts' shares of the ring differ by some 4 %, and the ring of 1,000 hosts is made in a quarter of a second. */
    static final int POINTS_PER_HOST = 512;

    private static final HashFunction HASH = Hashing.murmur3_128(0x7a105);

    private final long[] points;
    private final int[] hosts;

    /** @param names a host's number is its index here; its points depend on its name alone */
    HashRing(List<String> names) {
        int count = names.size() * POINTS_PER_HOST;
        record Point(long at, int host) {}
        Point[] all = new Point[count];
        for (int host = 0; host < names.size(); host++) {
            for (int number = 0; number < POINTS_PER_HOST; number++) {
                long at = HASH.newHasher()
                        .putString(names.get(host), StandardCharsets.UTF_8)
                        .putInt(number)
                        .hash()
                        .asLong();
                all[host * POINTS_PER_HOST + number] = new Point(at, host);
            }
        }
        // Of two points at the same place, which is as good as impossible, the host that comes first wins, everywhere.
        Arrays.sort(all, (a, b) -> a.at != b.at ? Long.compare(a.at, b.at) : Integer.compare(a.host, b.host));
        points = new long[count];
        hosts = new int[count];
        for (int index = 0; index < count; index++) {
            points[index] = all[index].at;
            hosts[index] = all[index].host;
        }
    }

    static long hash(String name) {
        return HASH.hashString(name, StandardCharsets.UTF_8).asLong();
    }

    static long hash(long high, long low, int number) {
        return HASH.newHasher().putLong(high).putLong(low).putInt(number).hash().asLong();
    }

    /** Index of the first point at or after a place. */
    int firstPoint(long at) {
        int found = Arrays.binarySearch(points, at);
        int index = found >= 0 ? found : -found - 1;
        return index == points.length ? 0 : index;
    }

    int nextPoint(int point) {
        return point + 1 == points.length ? 0 : point + 1;
    }

    int hostAt(int point) {
        return hosts[point];
    }
}
