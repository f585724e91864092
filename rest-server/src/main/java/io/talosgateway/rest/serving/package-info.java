/** Serving the partitions that this host owns. Entry type {@link io.talosgateway.rest.serving.LocalPartitionService}. */
@NullMarked
package io.talosgateway.rest.serving;

import org.jspecify.annotations.NullMarked;
