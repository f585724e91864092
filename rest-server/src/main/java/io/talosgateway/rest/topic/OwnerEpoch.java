package io.talosgateway.rest.topic;

/** Rises by one with each change of a partition's owner. The owner writes it into every frame: the fencing token. */
public record OwnerEpoch(long value) implements Comparable<OwnerEpoch> {

    /** Before the first owner. */
    public static final OwnerEpoch NONE = new OwnerEpoch(0);

    public OwnerEpoch next() {
        return new OwnerEpoch(value + 1);
    }

    @Override
    public int compareTo(OwnerEpoch other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
