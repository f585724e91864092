/**
 * Getting messages. Entry type {@link io.talosgateway.rest.fetch.FetchService}. What is in the tail cache is read on the
 * caller's thread; storage is read on the get pool; waiting for messages holds no thread.
 */
@NullMarked
package io.talosgateway.rest.fetch;

import org.jspecify.annotations.NullMarked;
