/**
 * Messages, and the blocks that clients put them into. Blocks are opaque here: what is inside one is the business of
 * {@code message.format}. Values only; entry type {@link io.talosgateway.wire.message.MessageBlock}. No threads.
 */
@NullMarked
package io.talosgateway.wire.message;

import org.jspecify.annotations.NullMarked;
