/**
 * Puts as the gateway handles them: batches of blocks, their limits, their idempotency keys, the choice of a partition.
 * Messages and blocks themselves are in {@code io.talosgateway.wire.message}, because clients have them too. Values only;
 * entry type {@link io.talosgateway.rest.message.MessageBatch}. No threads.
 */
@NullMarked
package io.talosgateway.rest.message;

import org.jspecify.annotations.NullMarked;
