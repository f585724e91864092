package io.talosgateway.rest.metrics;

import java.util.HashSet;
import java.util.Set;

/**
 * Bounds the values of a label: the first so many have series of their own, the further ones share those of {@link #OTHER}. Safe for
 * use by any thread.
 */
public final class BoundedLabel {

    public static final String OTHER = "other";

    private final int most;
    private final Set<String> own = new HashSet<>();

    /** @param most values beside {@link #OTHER} */
    public BoundedLabel(int most) {
        this.most = most;
    }

    /** What to write for a value: itself, or {@link #OTHER}. */
    public synchronized String of(String value) {
        return own.contains(value) || (own.size() < most && own.add(value)) ? value : OTHER;
    }

    /** Makes room for another value; the series of this one must be gone. */
    public synchronized void forget(String value) {
        own.remove(value);
    }
}
