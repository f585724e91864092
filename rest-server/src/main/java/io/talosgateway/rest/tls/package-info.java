/**
 * Certificates: the one of this host ({@link io.talosgateway.rest.tls.ServerCertificate}), those that it trusts, where they are
 * read from, and the TLS that hosts speak to each other ({@link io.talosgateway.rest.tls.HostTls}).
 */
@NullMarked
package io.talosgateway.rest.tls;

import org.jspecify.annotations.NullMarked;
