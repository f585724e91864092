/**
 * {@code talos-loadgen pipeline}: a producer, a topic as the queue, and consumers that take a while for each message. How long
 * does the queue become, and how old are the messages that come out of it?
 */
@NullMarked
package io.talosgateway.loadgen.pipeline;

import org.jspecify.annotations.NullMarked;
