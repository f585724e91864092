package io.talosgateway.loadgen.plan;

/**
 * Which of several client processes this is.
 *
 * @param number from 0
 * @param of how many there are
 */
public record ProcessShare(int number, int of) {

    static final ProcessShare ALONE = new ProcessShare(0, 1);
}
