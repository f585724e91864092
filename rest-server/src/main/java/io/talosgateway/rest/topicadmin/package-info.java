/**
 * The life of topics: create, describe, change, delete. Entry type
 * {@link io.talosgateway.rest.topicadmin.TopicAdminService}. Changes run on the control pool, one topic's one after
 * another.
 */
@NullMarked
package io.talosgateway.rest.topicadmin;

import org.jspecify.annotations.NullMarked;
