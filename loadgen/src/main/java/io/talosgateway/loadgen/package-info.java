/**
 * The load generator. Entry type {@link io.talosgateway.loadgen.Loadgen}, a command line; {@link
 * io.talosgateway.loadgen.LoadRun} is one run of load. A thread for each producer and each reader, with a connection of its
 * own; the thread that started the run keeps time.
 */
@NullMarked
package io.talosgateway.loadgen;

import org.jspecify.annotations.NullMarked;
