/**
 * When a request passed the stages of its way, for whoever asks. Entry type {@link io.talosgateway.rest.stages.Stages}. No threads.
 */
@NullMarked
package io.talosgateway.rest.stages;

import org.jspecify.annotations.NullMarked;
