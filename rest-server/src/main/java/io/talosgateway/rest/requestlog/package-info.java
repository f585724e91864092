/**
 * Logs of requests: who asked for what, and what took long. Entry type {@link io.talosgateway.rest.requestlog.RequestLogs}. One thread
 * for each file.
 */
@NullMarked
package io.talosgateway.rest.requestlog;

import org.jspecify.annotations.NullMarked;
