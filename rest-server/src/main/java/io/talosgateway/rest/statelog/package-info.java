/**
 * States of the gateway itself that are kept in a log. A state is in memory at the host that owns a partition of one of the
 * gateway's own topics, and each change of it is a message there. Entry types: {@link io.talosgateway.rest.statelog.StateLogs}
 * at the owner, {@link io.talosgateway.rest.statelog.StateTopic} for whoever asks.
 */
@NullMarked
package io.talosgateway.rest.statelog;

import org.jspecify.annotations.NullMarked;
