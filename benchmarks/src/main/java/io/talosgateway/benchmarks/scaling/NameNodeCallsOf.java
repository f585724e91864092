package io.talosgateway.benchmarks.scaling;

import java.util.Map;

/** Which calls of the storage make how many to the NameNode, as {@code scaling.sh --measure} finds it: to fence a file that
 * is closed, as most are, changes nothing. Stateless. */
final class NameNodeCallsOf {

    static final Map<String, Integer> READS =
            Map.of("exists", 1, "list", 1, "open", 1, "createWhole", 1, "force", 1, "fence", 1);
    static final Map<String, Integer> WRITES = Map.of("createWhole", 5, "delete", 1, "force", 5);

    private NameNodeCallsOf() {}
}
