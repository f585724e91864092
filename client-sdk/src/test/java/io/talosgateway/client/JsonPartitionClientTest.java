package io.talosgateway.client;

import java.time.Duration;
import java.util.List;

import io.talosgateway.client.ScriptedServer.Received;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.talosgateway.client.ScriptedServer.failureOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What the client of a partition sends over the JSON interface and makes of answers. */
final class JsonPartitionClientTest {

    private static final String JSON = "application/json";

    private ScriptedServer server;
    private PartitionClient partition;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedServer();
        server.answers(200, JSON, """
                {"name":"orders","resourceName":"a#orders#1","owner":"a","partitions":4,"retentionMs":1,
                 "attributes":{},"createdAtMs":5}""");
        List<PartitionClient> partitions =
                server.client().build().partitionClients("orders").get();
        assertThat(partitions).hasSize(4);
        partition = partitions.get(3);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Received request(int number) {
        return server.received().get(1 + number);
    }

    @Test
    void preparedPutIsSentAgainWithAKeyOfItsOwn() throws Exception {
        server.answers(200, JSON, "{}").answers(200, JSON, "{}");
        PreparedPut put = partition.prepare(List.of(new NewMessage("k", new byte[] {'p', 'a', 'i', 'd'})));

        put.send().get();
        put.send("mine").get();

        assertThat(put.bodyBytes()).isEqualTo(4);
        assertThat(put.messages()).isEqualTo(1);
        for (int number = 0; number < 2; number++) {
            assertThat(request(number).target()).hasToString("/v1/topics/orders/partitions/3/messages?key=k");
            assertThat(request(number).body()).asString().isEqualTo("paid");
            assertThat(request(number).header("Authorization")).startsWith("Basic ");
        }
        assertThat(request(0).header("Idempotency-Key")).matches("\"[0-9a-f-]{36}\"");
        assertThat(request(1).header("Idempotency-Key")).isEqualTo("\"mine\"");
    }

    @Test
    void messagesOfAGetAreCountedAndReadWhenWanted() throws Exception {
        server.answers(200, JSON, """
                {"topic":"orders","partition":3,"messages":[
                 {"offset":7,"key":"k","value":"paid","appendedAtMs":5,"new":{"a":[1,{}]}},
                 {"offset":8,"valueBase64":"/w=="}],"nextOffset":9,"logStartOffset":0,"logEndOffset":9}""");

        Fetched fetched = partition
                .get(7, new GetOptions(2, 100, Duration.ofMillis(1_500)))
                .get();

        assertThat(request(0).target())
                .hasToString(
                        "/v1/topics/orders/partitions/3/messages?offset=7&max-messages=2&max-bytes=100&wait=1500ms");
        assertThat(fetched.count()).isEqualTo(2);
        assertThat(fetched.nextOffset()).isEqualTo(9);
        assertThat(fetched.messages().get(0).text()).isEqualTo("paid");
        assertThat(fetched.messages().get(1).payload()).containsExactly(-1);
    }

    @Test
    void getOfNothingGoesOnWhereItBegan() throws Exception {
        server.answers(200, JSON, "{\"topic\":\"orders\",\"partition\":3,\"messages\":[],\"nextOffset\":0}");

        Fetched fetched =
                partition.get(PartitionClient.EARLIEST, GetOptions.DEFAULT).get();

        assertThat(request(0).target()).hasQuery("offset=earliest&max-messages=1000&max-bytes=1048576");
        assertThat(fetched.count()).isZero();
        assertThat(fetched.nextOffset()).isZero();
        assertThat(fetched.bytes()).isEqualTo(61);
        assertThat(fetched.messages()).isEmpty();
    }

    @Test
    void answerThatIsNoJsonIsAClearFailure() {
        server.answers(200, JSON, "[]").answers(200, JSON, "{\"messages\":[{\"offset\":7");

        assertThat(failureOf(partition.get(7, GetOptions.DEFAULT)))
                .hasMessageStartingWith("The answer is not one of a Talos Gateway");
        assertThat(failureOf(partition.get(7, GetOptions.DEFAULT)))
                .hasMessageStartingWith("The answer is not one of a Talos Gateway");
    }

    @Test
    void emptyPutIsRefusedAtOnce() {
        assertThatIllegalArgumentException().isThrownBy(() -> partition.prepare(List.of()));
    }
}
