package io.talosgateway.verifier;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * What can be done to a cluster: a command for a host and, some time later, one that puts it back. {@link VerifyPlan} says what
 * each does.
 */
public enum FaultKind {
    KILL(Target.GATEWAY, "kill", "start", 2, 8),
    PAUSE(Target.GATEWAY, "pause", "resume", 0, 0),
    PARTITION(Target.GATEWAY, "partition", "heal", 0, 0),
    RESTART(Target.GATEWAY, "stop", "start", 0, 2),
    DATANODE(Target.DATANODE, "kill", "start", 5, 12),
    CLOCK(Target.GATEWAY, "shift-clock", "reset-clock", 5, 15),
    DISK_FULL(Target.NAMENODE, "fill", "free", 15, 25),
    NAMENODE(Target.NAMENODE, "restart", null, 0, 0),
    ZOOKEEPER(Target.ZOOKEEPER, "restart", null, 0, 0),
    /** {@code kill -9} of all processes at the same time, as when the power fails; what the system's page cache has stays. */
    POWER(Target.CLUSTER, "kill", "start", 2, 5);

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

    public String command() {
        return command;
    }

    /** Whether it lasts as long as the user says, so that a session ends meanwhile. */
    boolean outlastsSession() {
        return this == PAUSE || this == PARTITION;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
