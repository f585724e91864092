package io.talosgateway.localcluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Starts hosts in the order in which they need each other. */
final class Starter {

    private final ClusterHosts hosts;
    private final HostReadiness readiness;
    private final ClusterFolder.Lock lock;

    Starter(ClusterHosts hosts, HostReadiness readiness, ClusterFolder.Lock lock) {
        this.hosts = hosts;
        this.readiness = readiness;
        this.lock = lock;
    }

    /** Starts those that are down, and returns when all are ready. */
    void start(RunningCluster cluster, List<Host> down) throws IOException, InterruptedException {
        launch(down, EnumSet.of(HostKind.ZOOKEEPER, HostKind.NAMENODE));
        // A DataNode that does not find the NameNode waits for 5 s; and this one may need them to leave safe mode.
        readiness.awaitConnectable(Timeouts.READY);
        launch(down, EnumSet.of(HostKind.DATANODE));
        List<Host> first = new ArrayList<>(cluster.shape().hosts());
        first.removeIf(host -> host.is(HostKind.GATEWAY));
        readiness.await(first, Timeouts.READY);
        launch(down, EnumSet.of(HostKind.GATEWAY));
        readiness.await(cluster.shape().hosts(HostKind.GATEWAY), Timeouts.READY);
    }

    private void launch(List<Host> down, Set<HostKind> kinds) throws IOException, InterruptedException {
        for (Host host : down) {
            if (kinds.contains(host.kind())) {
                hosts.launch(host, lock);
            }
        }
    }
}
