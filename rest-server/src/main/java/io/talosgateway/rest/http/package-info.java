/**
 * What the HTTP interfaces share: the servers, reading a body, answering once, deadlines, request metrics. Entry type
 * {@link io.talosgateway.rest.http.Exchange}, one request and its answer.
 *
 * <p>Threads that run here: Jetty's. Nothing blocks one of them: bodies are read by demand, answers are written with
 * callbacks. With {@code bootstrap}, the only user of Jetty.
 */
@NullMarked
package io.talosgateway.rest.http;

import org.jspecify.annotations.NullMarked;
