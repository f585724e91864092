package io.talosgateway.rest.http.talos;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.ConsumeUnit;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.DeleteConsumerGroupRequest;
import io.talosgateway.thrift.LockPartitionRequest;
import io.talosgateway.thrift.QueryConsumerGroupRequest;
import io.talosgateway.thrift.QueryWorkerRequest;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.ConsumerMethods;
import io.talosgateway.thrift.call.MetricMethods;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Workers that are not heard of. Waits for the end of real leases. */
final class WorkerLeaseIT {

    @TempDir
    Path directory;

    @Test
    void workerThatIsNotHeardOfVanishesWithItsPartitions() throws Exception {
        try (TestGateway gateway = TestGateway.start(directory, Map.of("consumer-group.lease", "1s"))) {
            TalosTestClient client = new TalosTestClient(gateway);
            TopicTalosResourceName topic = client.call(
                            ThriftService.TOPIC,
                            TopicMethods.CREATE_TOPIC,
                            new CreateTopicRequest("t", new TopicAttribute().setPartitionNumber(1)))
                    .getTopicInfo()
                    .getTopicTalosResourceName();
            QueryWorkerRequest workers = new QueryWorkerRequest("group", topic);
            lock(client, topic, "w1");
            Await.asLongAs(() -> !client.call(ThriftService.CONSUMER, ConsumerMethods.QUERY_WORKER, workers)
                    .getWorkerMap()
                    .isEmpty());
            assertThat(lock(client, topic, "w2")).containsExactly(0);
            Await.asLongAs(() -> !client.call(ThriftService.CONSUMER, ConsumerMethods.QUERY_WORKER, workers)
                    .getWorkerMap()
                    .isEmpty());

            client.call(
                    ThriftService.CONSUMER,
                    ConsumerMethods.DELETE_CONSUMER_GROUP,
                    new DeleteConsumerGroupRequest("group", topic));
            assertThat(client.call(
                                    ThriftService.METRIC,
                                    MetricMethods.QUERY_CONSUMER_GROUP,
                                    new QueryConsumerGroupRequest(topic))
                            .getConsumerGroupList())
                    .isEmpty();
        }
    }

    private static List<Integer> lock(TalosTestClient client, TopicTalosResourceName topic, String worker)
            throws Exception {
        return client.call(
                        ThriftService.CONSUMER,
                        ConsumerMethods.LOCK_PARTITION,
                        new LockPartitionRequest(new ConsumeUnit("group", topic, List.of(0), worker)))
                .getSuccessPartitions();
    }
}
