/**
 * The "ideal gateway": the least that a gateway on our lanes can do, and so the ceiling of what one can reach on this storage.
 * Entry type {@link io.talosgateway.benchmarks.ideal.IdealGateway}, which {@code talos-loadgen experiment ideal} starts.
 */
@NullMarked
package io.talosgateway.benchmarks.ideal;

import org.jspecify.annotations.NullMarked;
