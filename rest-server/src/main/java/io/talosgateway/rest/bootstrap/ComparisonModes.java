package io.talosgateway.rest.bootstrap;

import io.talosgateway.rest.config.Dispatch;
import io.talosgateway.rest.fetch.TailReads;
import io.talosgateway.rest.http.BlockingHandler;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.InlineExecutor;
import io.talosgateway.scheduler.KeyedExecutor;
import org.eclipse.jetty.server.Handler;

/**
 * Wraps parts of the gateway so that it works as others do, to be compared with: in the mode {@code blocking}, a request holds its
 * HTTP thread and a put its worker until they are answered, and every get is read by the pool for gets; with a file for each partition,
 * puts run on workers only. Nothing else knows of it.
 */
record ComparisonModes(Dispatch dispatch, JournalLayout layout) {

    private boolean isBlocking() {
        return dispatch == Dispatch.BLOCKING;
    }

    Handler http(Handler handler) {
        return isBlocking() ? new BlockingHandler(handler) : handler;
    }

    /** What runs the steps of a put: the pool, or the worker of the pool that is held for it. */
    KeyedExecutor<TopicPartition> putSteps(KeyedExecutor<TopicPartition> pool) {
        if (isBlocking()) {
            return new InlineExecutor<>();
        }
        return layout == JournalLayout.FILE_PER_PARTITION ? new QueuedSteps<>(pool) : pool;
    }

    PartitionService puts(PartitionService local, KeyedExecutor<TopicPartition> pool) {
        return isBlocking() ? new BlockingPuts(local, pool) : local;
    }

    TailReads tailReads() {
        return isBlocking() ? (log, offset, maxMessages, maxBytes) -> null : PartitionLog::readTail;
    }
}
