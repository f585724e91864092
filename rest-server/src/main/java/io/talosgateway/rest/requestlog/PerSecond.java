package io.talosgateway.rest.requestlog;

/** Lets a number of lines through in each second, and counts the others. Safe for use by any thread. */
public final class PerSecond {

    private final int most;
    private long second = Long.MIN_VALUE;
    private int inSecond;
    private long heldBack;

    /** @param most lines in a second */
    public PerSecond(int most) {
        this.most = most;
    }

    /**
     * Asks for a line.
     *
     * @param nowSecond number of the present second, on any clock
     * @return how many were held back since the last line; -1 if this one is, too
     */
    public synchronized long next(long nowSecond) {
        if (nowSecond != second) {
            second = nowSecond;
            inSecond = 0;
        }
        if (inSecond >= most) {
            heldBack++;
            return -1;
        }
        inSecond++;
        long before = heldBack;
        heldBack = 0;
        return before;
    }
}
