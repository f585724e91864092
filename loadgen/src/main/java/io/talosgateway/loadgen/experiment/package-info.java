/**
 * {@code talos-loadgen experiment}. {@link io.talosgateway.loadgen.experiment.Experiments} reads the files of the experiments,
 * {@code experiments/NAME.yaml} in the jar; an {@link io.talosgateway.loadgen.experiment.Experiment} is data that says which
 * {@link io.talosgateway.loadgen.experiment.Trial}s there are, and which of what was measured is shown. {@link
 * io.talosgateway.loadgen.experiment.ComparisonRun} takes the trials in turn, each with fresh processes ({@link
 * io.talosgateway.loadgen.experiment.TrialRun}). To add one, write its file and add its name to {@code Experiments}.
 */
@NullMarked
package io.talosgateway.loadgen.experiment;

import org.jspecify.annotations.NullMarked;
