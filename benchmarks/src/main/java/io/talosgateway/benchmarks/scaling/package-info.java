/**
 * What a cluster of a thousand hosts costs: the project's own placement and ownership code run at that size, what it asks of
 * ZooKeeper and HDFS counted, and how long that takes worked out.
 */
@NullMarked
package io.talosgateway.benchmarks.scaling;

import org.jspecify.annotations.NullMarked;
