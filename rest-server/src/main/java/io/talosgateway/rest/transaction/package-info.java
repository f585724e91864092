/**
 * Transactions: blocks that are kept, and that nobody sees, until they are committed or rolled back. The state is in memory at the
 * host that owns one partition of the gateway's own topic {@code __transactions}, and each change of it is a message there. Entry
 * types: {@link io.talosgateway.rest.transaction.Transactions} for whoever asks, {@link
 * io.talosgateway.rest.transaction.TransactionCoordinator} at the owner.
 */
@NullMarked
package io.talosgateway.rest.transaction;

import org.jspecify.annotations.NullMarked;
