/** What it costs that a host hands a request on to the owner of the partition. */
@NullMarked
package io.talosgateway.benchmarks.forwarding;

import org.jspecify.annotations.NullMarked;
