package io.talosgateway.localcluster;

import picocli.CommandLine.Command;

/** {@code heal HOST}. */
@Command(
        name = "heal",
        description = "Connects a host again that 'partition' cut off: as little possible as that, exit status 3.",
        mixinStandardHelpOptions = true)
final class HealCommand extends PartitionCommand {}
