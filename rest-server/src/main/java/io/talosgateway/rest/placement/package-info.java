/**
 * Which host gets which partition ({@link io.talosgateway.rest.placement.PlacementMap}: a pure function of the placement that
 * the hosts agree on) and who is in the placement ({@link io.talosgateway.rest.placement.PlacementController}: one host of the
 * cluster, elected, lets hosts in, waits for those that vanish, and removes those that do not come back).
 *
 * <p>Threads that run here: that of the controller.
 */
@NullMarked
package io.talosgateway.rest.placement;

import org.jspecify.annotations.NullMarked;
