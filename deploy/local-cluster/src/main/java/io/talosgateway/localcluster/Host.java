package io.talosgateway.localcluster;

/**
 * One host of the cluster, which is one process.
 *
 * @param number from 1, as in {@code gateway-1}; 0 for a host that is alone of its kind
 */
record Host(HostKind kind, int number) {

    static final Host ZOOKEEPER = new Host(HostKind.ZOOKEEPER, 0);
    static final Host NAMENODE = new Host(HostKind.NAMENODE, 0);

    static Host gateway(int number) {
        return new Host(HostKind.GATEWAY, number);
    }

    static Host dataNode(int number) {
        return new Host(HostKind.DATANODE, number);
    }

    String name() {
        return number == 0 ? kind.text() : kind.text() + "-" + number;
    }

    boolean is(HostKind other) {
        return kind == other;
    }

    @Override
    public String toString() {
        return name();
    }
}
