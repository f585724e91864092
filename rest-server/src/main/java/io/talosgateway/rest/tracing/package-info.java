/**
 * Spans of requests for OpenTelemetry: the only user of its SDK. Entry type {@link io.talosgateway.rest.tracing.OtelTracing}. Threads are
 * those of the SDK: one that exports, and those of the JDK's HTTP client.
 */
@NullMarked
package io.talosgateway.rest.tracing;

import org.jspecify.annotations.NullMarked;
