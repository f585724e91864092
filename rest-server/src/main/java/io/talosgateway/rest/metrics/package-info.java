/**
 * Metrics that the Prometheus client does not have: latencies with fine buckets, bounded label values, garbage collection. Knows
 * nothing else of the gateway. Entry type {@link io.talosgateway.rest.metrics.LatencyHistogram}. No threads.
 */
@NullMarked
package io.talosgateway.rest.metrics;

import org.jspecify.annotations.NullMarked;
