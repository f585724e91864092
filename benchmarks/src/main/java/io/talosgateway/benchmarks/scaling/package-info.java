/**
 * What a cluster of a thousand hosts costs when hosts come and go: the project's own placement and ownership code run at that
 * size, and what it asks of ZooKeeper counted. Entry: {@code benchmarks/scaling.sh}.
 */
@NullMarked
package io.talosgateway.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
