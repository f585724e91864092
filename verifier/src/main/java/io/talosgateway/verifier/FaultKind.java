package io.talosgateway.verifier;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** What can be done to a cluster: a command for a host and, some time later, one that puts it back. */
public enum FaultKind {
    /** {@code kill -9} of a gateway, which is started again seconds later. */
    KILL(Target.GATEWAY, "kill", "start", 2, 8),
    /** A gateway is stopped in its tracks for longer than its ZooKeeper session, and goes on as if nothing had been. */
    PAUSE(Target.GATEWAY, "pause", "resume", 0, 0),
    /** A gateway is cut off from all others for longer than its session, and connected again. */
    PARTITION(Target.GATEWAY, "partition", "heal", 0, 0),
    /** A gateway is told to end, and started again. */
    RESTART(Target.GATEWAY, "stop", "start", 0, 2),
    /** {@code kill -9} of a DataNode, which is started again seconds later. */
    DATANODE(Target.DATANODE, "kill", "start", 5, 12),
    /** The clock of a gateway is put forward or back, and later put right. */
    CLOCK(Target.GATEWAY, "shift-clock", "reset-clock", 5, 15),
    /** HDFS takes no new blocks, as if its disks were full. */
    DISK_FULL(Target.NAMENODE, "fill", "free", 15, 25),
    /** The NameNode is restarted. */
    NAMENODE(Target.NAMENODE, "restart", null, 0, 0),
    /** ZooKeeper is restarted. */
    ZOOKEEPER(Target.ZOOKEEPER, "restart", null, 0, 0),
    /** {@code kill -9} of all processes at the same time, as when the power fails; what the system's page cache has stays. */
    POWER(Target.CLUSTER, "kill", "start", 2, 5);

    /** What it is done to. */
    enum Target {
        GATEWAY,
        DATANODE,
        NAMENODE,
        ZOOKEEPER,
        CLUSTER
    }

    final Target target;
    private final String command;
    /** The script's command that puts the host back; null if the first does that. */
    final @Nullable String undo;

    final int leastSeconds;
    final int mostSeconds;

    FaultKind(Target target, String command, @Nullable String undo, int leastSeconds, int mostSeconds) {
        this.target = target;
        this.command = command;
        this.undo = undo;
        this.leastSeconds = leastSeconds;
        this.mostSeconds = mostSeconds;
    }

    /** The script's command that does it. */
    public String command() {
        return command;
    }

    /** Whether it lasts as long as the user says, so that a session ends meanwhile. */
    boolean outlastsSession() {
        return this == PAUSE || this == PARTITION;
    }

    /** The name on the command line. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
