package io.talosgateway.loadgen.cli;

/**
 * A command of {@code talos-loadgen} from another module, annotated as picocli wants it. Modules name theirs in {@code
 * META-INF/services}.
 */
public interface Subcommand {}
