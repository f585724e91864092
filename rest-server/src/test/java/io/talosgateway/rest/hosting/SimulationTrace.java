package io.talosgateway.rest.hosting;

import java.util.function.Supplier;

/** What happens in a simulation, line by line, with {@code -Dsimulation.trace=true}: for one seed. */
final class SimulationTrace {

    private static final boolean ON = Boolean.getBoolean("simulation.trace");

    private SimulationTrace() {}

    static boolean isOn() {
        return ON;
    }

    static void say(Supplier<String> line) {
        if (ON) {
            System.out.println(line.get());
        }
    }
}
