package io.talosgateway.loadgen;

/**
 * Which of several client processes this is.
 *
 * @param number from 0
 * @param of how many there are
 */
record ProcessShare(int number, int of) {

    static final ProcessShare ALONE = new ProcessShare(0, 1);
}
