/**
 * Answers what other hosts of the cluster hand on: Thrift, framed, on libthrift's non-blocking server. A connection must
 * prove that it belongs to the cluster before anything else is taken from it. Serves what this host hosts itself and
 * refuses the rest: one hop. Entry type {@link io.talosgateway.rest.peer.PeerServer}. Runs on the thread {@code peer} and on
 * whatever completes puts and gets.
 */
@NullMarked
package io.talosgateway.rest.peer;

import org.jspecify.annotations.NullMarked;
