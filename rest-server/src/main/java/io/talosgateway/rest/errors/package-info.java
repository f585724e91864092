/**
 * The errors that people and programs see, in one table: {@link io.talosgateway.rest.errors.ErrorCode}. No threads.
 */
@NullMarked
package io.talosgateway.rest.errors;

import org.jspecify.annotations.NullMarked;
