/**
 * What a topic is: its name, identity, partitions and metadata. Values only; entry type
 * {@link io.talosgateway.rest.topic.TopicMetadata}. No threads.
 */
@NullMarked
package io.talosgateway.rest.topic;

import org.jspecify.annotations.NullMarked;
