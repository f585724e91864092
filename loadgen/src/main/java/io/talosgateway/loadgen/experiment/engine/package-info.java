/**
 * What experiments are made of and how they are run. An {@link io.talosgateway.loadgen.experiment.engine.Experiment} is, as a
 * rule, a {@link io.talosgateway.loadgen.experiment.engine.TrialComparison}: data that says which {@link
 * io.talosgateway.loadgen.experiment.engine.Trial}s there are, and which of what was measured is shown. {@link
 * io.talosgateway.loadgen.experiment.engine.ComparisonRun} takes the trials in turn, each with fresh processes ({@link
 * io.talosgateway.loadgen.experiment.engine.TrialRun}).
 */
@NullMarked
package io.talosgateway.loadgen.experiment.engine;

import org.jspecify.annotations.NullMarked;
