package io.talosgateway.rest.bootstrap;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.config.Dispatch;
import io.talosgateway.rest.http.BlockingHandler;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.InlineExecutor;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.KeyedTask;
import io.talosgateway.scheduler.Priority;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ComparisonModesTest {

    private final Handler handler = new DefaultHandler();

    private final KeyedExecutor<TopicPartition> pool = new InlineExecutor<>();

    private static ComparisonModes modes(Dispatch dispatch, JournalLayout layout) {
        return new ComparisonModes(dispatch, layout);
    }

    @Test
    void blockingRequestsHoldTheirThreads() {
        assertThat(modes(Dispatch.BLOCKING, JournalLayout.SHARED_LANES).http(handler))
                .isInstanceOfSatisfying(
                        BlockingHandler.class,
                        blocking -> assertThat(blocking.getHandler()).isSameAs(handler));
    }

    /** A put blocks for the storage then. */
    @Test
    void putsKeepToWorkersWithAFileForEachPartition() {
        List<KeyedTask<TopicPartition>> queued = new ArrayList<>();
        KeyedExecutor<TopicPartition> workers = new KeyedExecutor<>() {
            @Override
            public void execute(KeyedTask<TopicPartition> task) {
                queued.add(task);
            }

            @Override
            public void runOrQueue(KeyedTask<TopicPartition> task) {
                throw new AssertionError("runs on the caller");
            }

            @Override
            public int drain(Deadline deadline) {
                return 0;
            }

            @Override
            public int maxBypasses() {
                return 1;
            }
        };
        KeyedTask<TopicPartition> task =
                new KeyedTask<>(new TopicPartition(new TopicId(1, 2), 3), Priority.NORMAL, Deadline.NONE) {
                    @Override
                    protected void run() {}

                    @Override
                    protected void abandoned(Exception reason) {}
                };

        modes(Dispatch.ASYNCHRONOUS, JournalLayout.FILE_PER_PARTITION)
                .putSteps(workers)
                .runOrQueue(task);

        assertThat(queued).containsExactly(task);
    }

    @Test
    void nothingIsWrappedOtherwise() {
        ComparisonModes modes = modes(Dispatch.ASYNCHRONOUS, JournalLayout.SHARED_LANES);
        assertThat(modes.http(handler)).isSameAs(handler);
        assertThat(modes.putSteps(pool)).isSameAs(pool);
    }
}
