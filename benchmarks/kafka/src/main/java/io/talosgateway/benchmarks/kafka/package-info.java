/**
 * Kafka, for comparison: a broker in a process of its own, and a program that puts to it as {@code talos-loadgen run} puts to
 * a gateway.
 */
@NullMarked
package io.talosgateway.benchmarks.kafka;

import org.jspecify.annotations.NullMarked;
