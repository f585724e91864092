/**
 * TLS for clients: the certificate in use and the new one that takes its place without a restart
 * ({@link io.talosgateway.rest.http.tls.TlsListener}), and the bounds of handshakes. Runs on the threads of the HTTP server and on its sweeper.
 */
@NullMarked
package io.talosgateway.rest.http.tls;

import org.jspecify.annotations.NullMarked;
