package io.talosgateway.rest.topic;

import java.util.Locale;

/** What an acknowledged put has survived so far. The later level includes the earlier. */
public enum Durability {
    /** {@code hflush}: in the memory of every DataNode of the pipeline; on a local disk, handed to the operating system. */
    MEMORY,
    /** {@code hsync}: on the disks of every DataNode of the pipeline; on a local disk, forced. */
    DISK;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** The lower-case name that configuration, attributes and answers use. */
    public String text() {
        return text;
    }

    /** @throws IllegalArgumentException with a sentence for the user if there is no such level */
    public static Durability parse(String text) {
        for (Durability durability : values()) {
            if (durability.text().equals(text)) {
                return durability;
            }
        }
        throw new IllegalArgumentException("The durability '" + text + "' does not exist: use 'disk' or 'memory'.");
    }
}
