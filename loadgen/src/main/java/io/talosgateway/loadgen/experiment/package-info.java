/**
 * {@code talos-loadgen experiment}: the command line. What experiments are and how they are run is in {@code engine}; each is a
 * file in the jar, {@code experiments/NAME.yaml}.
 */
@NullMarked
package io.talosgateway.loadgen.experiment;

import org.jspecify.annotations.NullMarked;
