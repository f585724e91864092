/**
 * {@code talos-loadgen run --consumers N}: a producer, a topic as the queue, and consumers that take a while for each message. How
 * long does the queue become, and how old are the messages that come out of it? Entry types {@link
 * io.talosgateway.loadgen.pipeline.ConsumerOptions}, {@link io.talosgateway.loadgen.pipeline.QueueLoad}.
 */
@NullMarked
package io.talosgateway.loadgen.pipeline;

import org.jspecify.annotations.NullMarked;
