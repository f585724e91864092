package io.talosgateway.benchmarks.kafka;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

/**
 * A broker that is its own controller, on loopback. What is not said here is as Kafka has it by default.
 *
 * @param data where its log is
 * @param brokerPort for clients
 * @param controllerPort for itself
 * @param partitions of topics; whoever first asks for a topic makes it
 * @param flushMessages after how many messages of a partition they are forced to the disk before they are acknowledged; 0
 *     for Kafka's default, which leaves that to the operating system
 */
record BrokerSettings(Path data, int brokerPort, int controllerPort, int partitions, int flushMessages) {

    static final int NODE_ID = 1;
    static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final String HOST = "127.0.0.1";

    /** Where clients connect to. */
    String bootstrap() {
        return HOST + ":" + brokerPort;
    }

    /** As in a {@code server.properties}. */
    Properties properties() {
        String broker = "PLAINTEXT://" + bootstrap();
        String controller = HOST + ":" + controllerPort;
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "process.roles",
                "broker,controller",
                "node.id",
                Integer.toString(NODE_ID),
                "controller.quorum.voters",
                NODE_ID + "@" + controller,
                "controller.listener.names",
                CONTROLLER_LISTENER,
                "listeners",
                broker + "," + CONTROLLER_LISTENER + "://" + controller,
                "advertised.listeners",
                broker,
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT",
                "log.dirs",
                data.toString(),
                "num.partitions",
                Integer.toString(partitions)));
        properties.putAll(Map.of(
                "offsets.topic.replication.factor", "1",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "share.coordinator.state.topic.replication.factor", "1",
                "share.coordinator.state.topic.min.isr", "1"));
        if (flushMessages > 0) {
            properties.put("log.flush.interval.messages", Integer.toString(flushMessages));
        }
        return properties;
    }
}
