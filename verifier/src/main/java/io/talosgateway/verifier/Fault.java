package io.talosgateway.verifier;

import java.time.Duration;
import java.util.List;

/**
 * Something that is done to a host, and later undone.
 *
 * @param host its name, or {@code all}
 * @param excused gateways, from 0, that cannot be held to answer
 * @param arguments of the command
 * @param hold how long until the host is put back
 */
public record Fault(FaultKind kind, String host, List<Integer> excused, List<String> arguments, Duration hold) {

    /** A crash of the only gateway. */
    public static Fault kill(String host, Duration hold) {
        return new Fault(FaultKind.KILL, host, List.of(0), List.of(), hold);
    }

    @Override
    public String toString() {
        return kind.text() + " " + host + (arguments.isEmpty() ? "" : " by " + String.join(" ", arguments));
    }
}
