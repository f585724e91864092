package io.talosgateway.verifier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.talosgateway.verifier.FaultKind.Target;

/**
 * Which fault comes next: of all kinds in turn, in an order that is another each time round, to any host of the kind, for any
 * time within the kind's limits. The same seed gives the same faults. For one thread.
 */
final class FaultSchedule implements Supplier<Fault> {

    /** By how much a clock is off, as the script takes it. */
    private static final List<String> SHIFTS = List.of("PT10M", "PT-10M", "PT2H", "PT-2H", "P2D", "P-2D");

    private final List<FaultKind> kinds;
    private final VerifiedCluster cluster;
    private final Duration pause;
    private final Random random;
    private final List<FaultKind> round = new ArrayList<>();

    /** @throws IllegalArgumentException with a sentence for the user if the cluster does not have what a kind needs */
    FaultSchedule(List<FaultKind> kinds, VerifiedCluster cluster, Duration pause, long seed) {
        this.kinds = List.copyOf(kinds);
        this.cluster = cluster;
        this.pause = pause;
        this.random = new Random(seed);
        if (kinds.contains(FaultKind.PARTITION) && !cluster.networks()) {
            throw new IllegalArgumentException(
                    "--faults: the gateways of this cluster have no networks of their own, so leave out 'partition', or "
                            + "bring the cluster up with 'deploy/local-cluster.sh up --networks'");
        }
        if (kinds.contains(FaultKind.DATANODE) && cluster.datanodes().isEmpty()) {
            throw new IllegalArgumentException(
                    "--faults: there is no DataNode in this cluster, so leave out 'datanode'");
        }
    }

    @Override
    public Fault get() {
        if (round.isEmpty()) {
            round.addAll(kinds);
            Collections.shuffle(round, random);
        }
        FaultKind kind = round.remove(round.size() - 1);
        int gateway = kind.target == Target.GATEWAY
                ? random.nextInt(cluster.gateways().size())
                : -1;
        List<String> arguments =
                kind == FaultKind.CLOCK ? List.of(SHIFTS.get(random.nextInt(SHIFTS.size()))) : List.of();
        return new Fault(kind, host(kind.target, gateway), excused(kind, gateway), arguments, hold(kind));
    }

    /** A gateway whose clock is wrong has to answer as well. */
    private List<Integer> excused(FaultKind kind, int gateway) {
        if (kind.target == Target.CLUSTER) {
            return IntStream.range(0, cluster.gateways().size()).boxed().toList();
        }
        return gateway < 0 || kind == FaultKind.CLOCK ? List.of() : List.of(gateway);
    }

    private String host(Target target, int gateway) {
        return switch (target) {
            case GATEWAY -> cluster.gateways().get(gateway).name();
            case DATANODE ->
                cluster.datanodes().get(random.nextInt(cluster.datanodes().size()));
            case CLUSTER -> "all";
            case NAMENODE, ZOOKEEPER -> target.name().toLowerCase(Locale.ROOT);
        };
    }

    private Duration hold(FaultKind kind) {
        long leastMs = kind.leastSeconds * 1_000L;
        long mostMs = kind.mostSeconds * 1_000L;
        long ms = leastMs + (long) (random.nextDouble() * (mostMs - leastMs));
        return kind.outlastsSession() ? pause : Duration.ofMillis(ms);
    }
}
