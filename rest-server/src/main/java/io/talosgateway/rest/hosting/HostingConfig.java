package io.talosgateway.rest.hosting;

import java.time.Duration;

import io.talosgateway.rest.journal.JournalConfig;

/**
 * How this host serves partitions.
 *
 * @param hostName unique in the cluster
 * @param journal how its journals are written
 * @param recentPuts how long repeats are recognised
 * @param ownerWait how long whoever creates a topic waits until all partitions have owners
 */
public record HostingConfig(String hostName, JournalConfig journal, RecentPutsConfig recentPuts, Duration ownerWait) {

    public HostingConfig {
        if (!hostName.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            throw new IllegalArgumentException(
                    "host.name must be 1 to 100 letters, digits, '.', '_' and '-', starting with a letter or digit: "
                            + hostName);
        }
    }
}
