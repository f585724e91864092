package io.talosgateway.loadgen;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts copies of this program, with the same Java, JVM options and class path.
 *
 * @param arguments of this program, which each copy gets too
 */
record ProcessLauncher(List<String> arguments) {

    /** The option that makes a copy one of several. */
    static final String OPTION = "--as-process";

    /** @param process its number, from 0 */
    Process start(int process) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Loadgen.class.getName());
        command.addAll(arguments);
        command.add(OPTION);
        command.add(Integer.toString(process));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
