/**
 * The load generator. Entry type {@link io.talosgateway.loadgen.Loadgen}, a command line; {@link
 * io.talosgateway.loadgen.LoadRun} is one run of load. A thread for each producer and each reader, with a connection of its
 * own, and a recorder for all of a kind; the thread that started the run keeps time and takes what the recorders have, second
 * by second. What comes of it is a {@link io.talosgateway.loadgen.Report}, from which the page and the comparisons are made.
 */
@NullMarked
package io.talosgateway.loadgen;

import org.jspecify.annotations.NullMarked;
