package io.talosgateway.localcluster;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Names and addresses in the network of a cluster: a bridge, and for each gateway a network namespace that a pair of links
 * joins to the bridge. All other hosts are at the bridge's address. Names of links have 15 characters at most.
 *
 * @param prefix first three numbers of all addresses, such as {@code 10.201.7}
 */
record Network(String clusterId, String prefix) {

    /** What the link of a gateway is called in its namespace. */
    static final String INNER_LINK = "eth0";

    private static final String NAMESPACES = "/var/run/netns/";
    private static final int ID_CHARACTERS = 10;
    private static final int FIRST_GATEWAY = 10;

    // Bits that the addresses of one cluster have in common.
    private static final int LENGTH = 24;
    private static final int NUMBERS = 256;
    // From 10.200.0 to 10.249.255, and then 192.168.0 to 192.168.255.
    private static final int CANDIDATES = 51 * NUMBERS;
    private static final Pattern ROUTE =
            Pattern.compile("(?:[a-z]+\\s+)?(\\d+)\\.(\\d+)\\.(\\d+)\\.(\\d+)(?:/(\\d+))?(?:\\s.*)?");

    /** Addresses whose first bits are those of {@code first}. */
    private record Range(long first, int length) {

        boolean overlaps(Range other) {
            int different = Integer.SIZE - Math.min(length, other.length);
            return first >>> different == other.first >>> different;
        }
    }

    /**
     * A prefix of private addresses that lead nowhere yet. The search begins at a random one, so that two clusters that are
     * made at once seldom choose the same.
     *
     * @param routes of the machine, in all tables, one a line as {@code ip route} prints them; that of everything else does
     *     not count
     * @throws ClusterFailure if there is none
     */
    static String freePrefix(List<String> routes, RandomGenerator random) {
        List<Range> taken = routes.stream().flatMap(Network::range).toList();
        int start = random.nextInt(CANDIDATES);
        return IntStream.range(0, CANDIDATES)
                .map(tried -> (start + tried) % CANDIDATES)
                .mapToObj(candidate -> (candidate < 50 * NUMBERS ? "10." + (200 + candidate / NUMBERS) : "192.168")
                        + "."
                        + candidate % NUMBERS)
                .filter(prefix -> range(prefix + ".0/" + LENGTH)
                        .noneMatch(candidate -> taken.stream().anyMatch(candidate::overlaps)))
                .findFirst()
                .orElseThrow(() -> new ClusterFailure(
                        "The machine has routes to all addresses from 10.200.0.0 to 10.249.255.255 and from 192.168.0.0 to "
                                + "192.168.255.255, so none are left for --networks; leave it out"));
    }

    private static Stream<Range> range(String route) {
        Matcher matcher = ROUTE.matcher(route.strip());
        if (!matcher.matches()) {
            return Stream.empty();
        }
        long first = 0;
        for (int group = 1; group <= 4; group++) {
            first = first << 8 | Integer.parseInt(matcher.group(group));
        }
        String length = matcher.group(5);
        return Stream.of(new Range(first, length == null ? Integer.SIZE : Integer.parseInt(length)));
    }

    String bridge() {
        return "tl" + clusterId.substring(0, Math.min(ID_CHARACTERS, clusterId.length()));
    }

    /** Of a gateway: both its namespace and the end of its link that is on the bridge. */
    String name(Host gateway) {
        return bridge() + "-" + gateway.number();
    }

    /** Whether a namespace or link is this cluster's. */
    boolean owns(String name) {
        return name.equals(bridge()) || name.startsWith(bridge() + "-");
    }

    /** The file that stands for a gateway's namespace. */
    String namespaceFile(Host gateway) {
        return NAMESPACES + name(gateway);
    }

    static boolean hasOwnNamespace(Host host) {
        return host.is(HostKind.GATEWAY);
    }

    String address(Host host) {
        return prefix + "." + (hasOwnNamespace(host) ? FIRST_GATEWAY + host.number() : 1);
    }

    String addressWithLength(Host host) {
        return address(host) + "/" + LENGTH;
    }
}
