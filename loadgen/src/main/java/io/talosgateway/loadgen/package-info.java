/**
 * The load generator. Entry type {@link io.talosgateway.loadgen.Loadgen}, a command line; {@link
 * io.talosgateway.loadgen.LoadRun} is one run of load. A thread for each {@link io.talosgateway.loadgen.Client}
 * with a blocking connection of its own, or a few {@link io.talosgateway.loadgen.EventLoop}s that drive them all, and a recorder
 * for all of a kind; the thread that started the run keeps time and takes what the recorders have, second by second. With
 * several processes, each does that and tells the first ({@link io.talosgateway.loadgen.ProcessGroup}), which adds up. What comes
 * of it is a {@link io.talosgateway.loadgen.Report}, from which the page and the comparisons are made.
 */
@NullMarked
package io.talosgateway.loadgen;

import org.jspecify.annotations.NullMarked;
