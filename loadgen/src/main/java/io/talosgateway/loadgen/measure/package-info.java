/**
 * What is measured, second by second: answers by a recorder for all clients of a kind, the gateway's own metrics, and pauses of
 * the load generator.
 */
@NullMarked
package io.talosgateway.loadgen.measure;

import org.jspecify.annotations.NullMarked;
