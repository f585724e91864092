/**
 * A keyed executor with least-loaded placement, priorities and expiry, and the timer behind its deadlines. Knows nothing
 * of messages or HTTP and depends on the JDK only.
 *
 * <p>Entry type: {@link io.talosgateway.scheduler.KeyedExecutor}, implemented by
 * {@link io.talosgateway.scheduler.KeyedThreadPool}. Decisions are made by {@link io.talosgateway.scheduler.KeyedQueues}
 * and {@link io.talosgateway.scheduler.TimerWheel}, which have no thread, lock or clock; thin shells own those.
 *
 * <p>Threads that run here: the workers of each {@code KeyedThreadPool} and the one thread of
 * {@link io.talosgateway.scheduler.WheelTimer}.
 */
@NullMarked
package io.talosgateway.scheduler;

import org.jspecify.annotations.NullMarked;
