/**
 * What experiments are made of and how they are run. {@link io.talosgateway.loadgen.experiment.engine.Experiments} reads their
 * files; an {@link io.talosgateway.loadgen.experiment.engine.Experiment} is data that says which {@link
 * io.talosgateway.loadgen.experiment.engine.Trial}s there are, and which of what was measured is shown. {@link
 * io.talosgateway.loadgen.experiment.engine.ComparisonRun} takes the trials in turn, each with fresh processes ({@link
 * io.talosgateway.loadgen.experiment.engine.TrialRun}). To add one, write its file and add its name to {@code Experiments}.
 */
@NullMarked
package io.talosgateway.loadgen.experiment.engine;

import org.jspecify.annotations.NullMarked;
