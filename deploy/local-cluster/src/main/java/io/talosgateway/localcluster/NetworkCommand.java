package io.talosgateway.localcluster;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/** A command for the network of a gateway: not possible for hosts that share one. */
abstract class NetworkCommand extends OneHostCommand {

    private static final int NOT_POSSIBLE = 3;

    private @Nullable String refusal;

    /** What the subclass does with a gateway that has a network of its own. */
    abstract void run(Target target, Network network) throws InterruptedException;

    @Override
    final void run(Target target) throws IOException, InterruptedException {
        Network network = target.cluster().network();
        refusal = refusal(network, target.host());
        if (network != null && refusal == null) {
            target.hosts().log(target.host()).note(spec().name());
            run(target, network);
        }
    }

    @Override
    public final Integer call() throws IOException, InterruptedException {
        super.call();
        if (refusal == null) {
            return 0;
        }
        spec().commandLine().getErr().println("local-cluster.sh: " + refusal);
        return NOT_POSSIBLE;
    }

    /** Why a host cannot be cut off; null if it can. */
    static @Nullable String refusal(@Nullable Network network, Host host) {
        if (network == null) {
            return "The hosts share the loopback network, so none can be cut off from the others: bring the cluster up with "
                    + "--networks. 'pause HOST' comes closest: it answers nobody, and its connections stay open";
        }
        return Network.hasOwnNamespace(host)
                ? null
                : "Only gateways have networks of their own, so %s cannot be cut off. 'pause %s' comes closest: it answers "
                                .formatted(host, host)
                        + "nobody, and its connections stay open";
    }
}
