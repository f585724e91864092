package io.talosgateway.loadgen.experiment.engine;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * What makes a server what it is. All texts may name variables.
 *
 * @param settings over the gateway's defaults
 * @param java options of its JVM, with spaces between them; null for a heap of 2 GiB
 * @param tls whose TLS the gateway serves, and nothing else; null for plain HTTP
 * @param idleConnections how many to open after the load, to find out what one takes; null for none
 * @param program what runs in place of the gateway: a main class of the kit, or a command of {@code talos-loadgen}; null for the
 *     gateway
 * @param arguments of that program, with spaces between them; null for none
 * @param kit whether the gateway has classes of the kit on its class path; null for no
 * @param storage whether it keeps what it is sent, so that HDFS has to be there first; null for yes
 */
record ServerDefinition(
        Map<String, String> settings,
        @Nullable String java,
        @Nullable String tls,
        @Nullable String idleConnections,
        @Nullable String program,
        @Nullable String arguments,
        @Nullable Boolean kit,
        @Nullable Boolean storage) {

    private static final String HEAP = "-Xmx2g";

    /** @param more settings over its own */
    Server server(Map<String, String> more, Variables variables) {
        Map<String, String> all = new TreeMap<>(settings);
        all.putAll(more);
        all.replaceAll((key, value) -> variables.fill(value));
        List<String> options = words(variables.fill(java == null ? HEAP : java));
        if (program != null) {
            return new ProgramServer(
                    program,
                    all,
                    options,
                    words(variables.fill(arguments == null ? "" : arguments)),
                    storage == null || storage);
        }
        int idle = idleConnections == null ? 0 : Integer.parseInt(variables.fill(idleConnections));
        return new GatewayServer(all, options, tls == null ? null : variables.fill(tls), idle, kit != null && kit);
    }

    static List<String> words(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+", -1));
    }
}
