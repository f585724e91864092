package io.talosgateway.loadgen.group;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.loadgen.plan.TrafficOptions;

/**
 * Starts copies of this program, with the same Java, JVM options and class path.
 *
 * @param program the class with its main method
 * @param arguments of this program, which each copy gets too
 */
public record ProcessLauncher(Class<?> program, List<String> arguments) {

    /** @param process its number, from 0 */
    Process start(int process) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(program.getName());
        command.addAll(arguments);
        command.add(TrafficOptions.AS_PROCESS);
        command.add(Integer.toString(process));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
