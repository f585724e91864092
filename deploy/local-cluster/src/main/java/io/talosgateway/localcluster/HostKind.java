package io.talosgateway.localcluster;

import java.util.List;
import java.util.Locale;

/** What a host of the cluster is, in the order in which they are started. */
enum HostKind {
    ZOOKEEPER,
    NAMENODE,
    DATANODE,
    GATEWAY;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<String> ports() {
        return switch (this) {
            case ZOOKEEPER -> List.of("client");
            case NAMENODE -> List.of("rpc", "http");
            case DATANODE -> List.of("data", "ipc", "http");
            case GATEWAY -> List.of("http", "ops", "peer");
        };
    }
}
