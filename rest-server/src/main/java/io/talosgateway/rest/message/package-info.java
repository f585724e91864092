/**
 * Messages and the blocks that clients put them into. Blocks are opaque here: what is inside one is the business of
 * {@code message.format}. Values only; entry types {@link io.talosgateway.rest.message.MessageBlock} and
 * {@link io.talosgateway.rest.message.MessageBatch}. No threads.
 */
@NullMarked
package io.talosgateway.rest.message;

import org.jspecify.annotations.NullMarked;
