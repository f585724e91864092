/**
 * Checks that a cluster keeps its promises while hosts fail. Entry types: {@link io.talosgateway.verifier.VerifyRun} for tests,
 * {@link io.talosgateway.verifier.VerifyCommand} for {@code talos-loadgen verify}. {@link io.talosgateway.verifier.Check} says
 * what is wrong. A thread for each put under way and each reader, with connections of
 * their own, one for the faults, and one that gives up requests that nobody answers.
 */
@NullMarked
package io.talosgateway.verifier;

import org.jspecify.annotations.NullMarked;
