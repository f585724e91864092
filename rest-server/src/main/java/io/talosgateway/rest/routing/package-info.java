/**
 * The way of a request to its partition: this host serves it, or the owner does, one hop away. Entry type
 * {@link io.talosgateway.rest.routing.RoutedPartitionService}.
 */
@NullMarked
package io.talosgateway.rest.routing;

import org.jspecify.annotations.NullMarked;
