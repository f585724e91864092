/**
 * Values that configuration records are made of. The records themselves stand beside what they configure. No threads.
 */
@NullMarked
package io.talosgateway.rest.config;

import org.jspecify.annotations.NullMarked;
