package io.talosgateway.localcluster;

import java.util.List;

/**
 * A process as the system lists it.
 *
 * @param parent pid of the process that started it
 * @param stopped by a signal, until another one resumes it
 * @param words of its command line; none of a process that has ended and was not waited for
 */
record SystemProcess(long pid, long parent, boolean stopped, List<String> words) {

    /** Reads a line of {@code ps -o pid=,ppid=,stat=,command=}. */
    static SystemProcess ofPs(String line) {
        List<String> columns = List.of(line.strip().split("\\s+"));
        return new SystemProcess(
                Long.parseLong(columns.get(0)),
                Long.parseLong(columns.get(1)),
                columns.get(2).startsWith("T"),
                columns.subList(3, columns.size()));
    }

    /**
     * Reads what Linux tells in {@code /proc}.
     *
     * @param stat content of {@code /proc/PID/stat}: {@code PID (name) state parent ...}, where the name may hold anything
     * @param commandLine content of {@code /proc/PID/cmdline}: words, each ended by a zero
     */
    static SystemProcess ofProc(long pid, String stat, String commandLine) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 3);
        boolean stopped = fields[0].equals("T") || fields[0].equals("t");
        List<String> words = commandLine.isEmpty() ? List.of() : List.of(commandLine.split("\0"));
        return new SystemProcess(pid, Long.parseLong(fields[1]), stopped, words);
    }
}
