/**
 * Checks that a cluster keeps its promises while hosts fail. Entry type {@link
 * io.talosgateway.loadgen.verify.VerifyCommand}; {@link io.talosgateway.loadgen.verify.VerifyRun} is one run, {@link
 * io.talosgateway.loadgen.verify.Check} says what is wrong. A thread for each put under way and each reader, with connections of
 * their own, one for the faults, and one that gives up requests that nobody answers.
 */
@NullMarked
package io.talosgateway.loadgen.verify;

import org.jspecify.annotations.NullMarked;
