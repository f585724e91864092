package io.talosgateway.rest.http.talos;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetDataPreviewRequest;
import io.talosgateway.thrift.GetDataPreviewResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.call.MetricMethods;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** {@code getDataPreview} of a whole gateway. */
final class DataPreviewIT {

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static TalosTestClient client;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(directory);
        client = new TalosTestClient(gateway);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static TopicAndPartition newTopic(String name) throws Exception {
        TopicInfo topic = client.call(
                        ThriftService.TOPIC,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(name, new TopicAttribute().setPartitionNumber(1)))
                .getTopicInfo();
        return new TopicAndPartition(name, topic.getTopicTalosResourceName(), 0);
    }

    private static void put(TopicAndPartition partition, String messages) throws Exception {
        HttpResponse<String> put =
                gateway.send(gateway.request("/v1/topics/" + partition.getTopicName() + "/partitions/0/messages")
                        .POST(BodyPublishers.ofString("{\"messages\":[" + messages + "]}"))
                        .build());
        assertThat(put.statusCode()).as(put.body()).isEqualTo(200);
    }

    private static GetDataPreviewResponse preview(TopicAndPartition partition) throws Exception {
        return client.call(ThriftService.METRIC, MetricMethods.GET_DATA_PREVIEW, new GetDataPreviewRequest(partition));
    }

    @Test
    void latestMessagesAreShownAsText() throws Exception {
        TopicAndPartition partition = newTopic("shown");
        for (int number = 0; number < 12; number++) {
            put(partition, "{\"value\":\"m" + number + "\"},{\"key\":\"k\",\"value\":\"n" + number + "\"}");
        }

        GetDataPreviewResponse preview = preview(partition);

        assertThat(preview.getMessageNumber()).isEqualTo(10);
        assertThat(preview.getSchemaTitleList())
                .containsExactly("offset", "appendTimestamp", "partitionKey", "message");
        List<Map<String, String>> rows = preview.getMessageLists();
        assertThat(rows)
                .extracting(row -> row.get("offset"))
                .containsExactly("14", "15", "16", "17", "18", "19", "20", "21", "22", "23");
        assertThat(rows.get(0)).containsEntry("message", "m7").containsEntry("partitionKey", "");
        assertThat(rows.get(9)).containsEntry("message", "n11").containsEntry("partitionKey", "k");
        assertThat(rows.get(9).get("appendTimestamp")).startsWith("20");
    }

    @Test
    void longTextsAreCutAndBytesAreShownInBase64() throws Exception {
        TopicAndPartition partition = newTopic("long");
        String snowmen = "\u2603".repeat(2_000);
        put(
                partition,
                "{\"value\":\"" + snowmen + "\"},{\"valueBase64\":\"/w==\"},{\"value\":\"" + "x".repeat(1_024) + "\"}");

        List<Map<String, String>> rows = preview(partition).getMessageLists();

        assertThat(rows)
                .extracting(row -> row.get("message"))
                .containsExactly(snowmen.substring(0, 1_024) + "...", "/w==", "x".repeat(1_024));
    }

    @Test
    void emptyPartitionHasNoRows() throws Exception {
        GetDataPreviewResponse preview = preview(newTopic("empty"));

        assertThat(preview.getMessageNumber()).isZero();
        assertThat(preview.getMessageLists()).isEmpty();
    }

    @Test
    void partitionThatIsNotThereIsRefused() throws Exception {
        TopicAndPartition partition = newTopic("small").setPartitionId(1);

        assertThatThrownBy(() -> preview(partition))
                .isInstanceOfSatisfying(
                        GalaxyTalosException.class,
                        failure -> assertThat(failure.getErrorCode()).isEqualTo(ErrorCode.PARTITION_NOT_EXIST));
    }
}
