/** The gateway under more load than it can take. */
@NullMarked
package io.talosgateway.benchmarks.overload;

import org.jspecify.annotations.NullMarked;
