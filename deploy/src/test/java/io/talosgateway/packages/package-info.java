/** Holds what is packed and shipped: configurations of the packages, the chart, the archive's lists. */
package io.talosgateway.packages;
