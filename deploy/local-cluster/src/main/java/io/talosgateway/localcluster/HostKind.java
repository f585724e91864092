package io.talosgateway.localcluster;

import java.util.List;

/** What a host of the cluster is, in the order in which they are started. */
enum HostKind {
    ZOOKEEPER("zookeeper"),
    NAMENODE("namenode"),
    DATANODE("datanode"),
    GATEWAY("gateway");

    private final String text;

    HostKind(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** What its ports are for. */
    List<String> ports() {
        return switch (this) {
            case ZOOKEEPER -> List.of("client");
            case NAMENODE -> List.of("rpc", "http");
            case DATANODE -> List.of("data", "ipc", "http");
            case GATEWAY -> List.of("http", "ops", "peer");
        };
    }
}
