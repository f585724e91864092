/** Micro-benchmarks with JMH. Entry: {@code benchmarks/jmh.sh}. */
@NullMarked
package io.talosgateway.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
