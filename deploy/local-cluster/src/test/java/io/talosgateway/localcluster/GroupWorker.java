package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Properties;

import com.xiaomi.infra.galaxy.rpc.thrift.Credential;
import com.xiaomi.infra.galaxy.rpc.thrift.UserType;
import com.xiaomi.infra.galaxy.talos.consumer.MessageCheckpointer;
import com.xiaomi.infra.galaxy.talos.consumer.MessageProcessor;
import com.xiaomi.infra.galaxy.talos.consumer.TalosConsumer;
import com.xiaomi.infra.galaxy.talos.consumer.TalosConsumerConfig;
import com.xiaomi.infra.galaxy.talos.thrift.MessageAndOffset;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicTalosResourceName;

/**
 * A program of a user: the official SDK's consumer, as one worker of a group, in a process that can be killed. It writes a line
 * {@code partition offset} into a file for each message that it has processed. It ends when its standard input does.
 */
final class GroupWorker {

    static final String GROUP = "group";

    /** Much shorter than the SDK allows its users, so that a test does not take minutes; the lease of the gateways is as much shorter. */
    private static final int RENEW_MS = 1_000;

    private static final int LOOK_FOR_WORK_MS = 1_000;
    private static final int COMMIT_MS = 1_000;

    private GroupWorker() {}

    /** Arguments: endpoint, key, secret, resource name of the topic, file. */
    public static void main(String[] arguments) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("galaxy.talos.service.endpoint", arguments[0]);
        properties.setProperty("galaxy.talos.consumer.renew.interval", String.valueOf(RENEW_MS));
        properties.setProperty("galaxy.talos.consumer.check.worker.info.interval", String.valueOf(LOOK_FOR_WORK_MS));
        properties.setProperty("galaxy.talos.consumer.commit.offset.interval.milli", String.valueOf(COMMIT_MS));
        Credential credential = new Credential()
                .setType(UserType.DEV_XIAOMI)
                .setSecretKeyId(arguments[1])
                .setSecretKey(arguments[2]);
        Path file = Path.of(arguments[4]);
        TalosConsumer consumer = new TalosConsumer(
                GROUP,
                new TalosConsumerConfig(properties, false),
                credential,
                new TopicTalosResourceName(arguments[3]),
                () -> new Noting(file),
                "",
                (topic, failure) -> System.err.println("the topic is gone: " + failure));
        System.out.println("registered");
        while (System.in.read() >= 0) {
            // Until the end.
        }
        consumer.shutDown();
        // Some of its threads are no daemons.
        System.exit(0);
    }

    private static final class Noting implements MessageProcessor {

        private final Path file;
        private int partition;

        Noting(Path file) {
            this.file = file;
        }

        @Override
        public void init(TopicAndPartition which, long startOffset) {
            partition = which.getPartitionId();
        }

        @Override
        public void process(List<MessageAndOffset> messages, MessageCheckpointer checkpointer) {
            StringBuilder lines = new StringBuilder();
            for (MessageAndOffset message : messages) {
                lines.append(partition)
                        .append(' ')
                        .append(message.getMessageOffset())
                        .append('\n');
            }
            try {
                // One write: a line is there as a whole, or not at all.
                Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void shutdown(MessageCheckpointer checkpointer) {
            // The SDK commits.
        }
    }
}
