/**
 * The comparison with the "ideal gateway", the ceiling of what a gateway on this storage can reach. Entry type {@link
 * io.talosgateway.benchmarks.ideal.IdealComparison}, which runs the others as processes of their own: {@link
 * io.talosgateway.benchmarks.ideal.HdfsServer}, {@link io.talosgateway.benchmarks.ideal.IdealGateway}, and the gateway and the
 * load generator of the distribution.
 */
@NullMarked
package io.talosgateway.benchmarks.ideal;

import org.jspecify.annotations.NullMarked;
