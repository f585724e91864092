/**
 * One run of load, {@link LoadRun}. A thread for each {@link Client} with a blocking connection of its own, or a few {@link
 * EventLoop}s that drive them all; the thread that started the run keeps time and takes what the recorders have, second by
 * second.
 */
@NullMarked
package io.talosgateway.loadgen.run;

import org.jspecify.annotations.NullMarked;
