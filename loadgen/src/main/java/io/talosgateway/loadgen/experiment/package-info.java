/**
 * {@code talos-loadgen experiment}: one class for each experiment, and {@link io.talosgateway.loadgen.experiment.Experiments},
 * which lists them. To add one, write its class and add a line there.
 */
@NullMarked
package io.talosgateway.loadgen.experiment;

import org.jspecify.annotations.NullMarked;
