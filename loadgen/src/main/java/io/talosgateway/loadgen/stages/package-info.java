/**
 * Where the time of a request goes: the stages that a gateway says it passed, put between when the client sent it and when the
 * client had the answer. Entry type {@link io.talosgateway.loadgen.stages.StageRecorder}. No threads.
 */
@NullMarked
package io.talosgateway.loadgen.stages;

import org.jspecify.annotations.NullMarked;
