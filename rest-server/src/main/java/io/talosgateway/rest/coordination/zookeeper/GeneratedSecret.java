package io.talosgateway.rest.coordination.zookeeper;

/** Whether the first host of a cluster makes up the secret of the hosts and leaves it in ZooKeeper. */
public enum GeneratedSecret {
    /** No: it is configured. */
    NONE,
    /** Yes, and who is not a host of the cluster must not be able to read it. */
    PROTECTED,
    /** Yes, although everybody who reaches ZooKeeper may be able to read it. */
    OPEN
}
