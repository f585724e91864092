package io.talosgateway.rest.hostprotocol;

import java.util.List;
import java.util.Map;

import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.thrift.HostGroupOperation;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

final class GroupCodecTest {

    private static final TopicPartition COORDINATOR = new TopicPartition(new TopicId(1, 2), 3);

    @ParameterizedTest
    @EnumSource
    void anotherHostReadsWhatIsAsked(GroupRequest.Operation operation) throws Exception {
        GroupRequest request =
                new GroupRequest(operation, "group", "worker", Map.of(new TopicId(4, 5), List.of(6, 7)), 8, 9L);
        TBinaryProtocol protocol = new TBinaryProtocol(new TMemoryBuffer(64));
        GroupCodec.writeRequest(protocol, COORDINATOR, request, 1_000);

        GroupCodec.Ask read = GroupCodec.readRequest(protocol, () -> 0);

        assertThat(read.request()).isEqualTo(request);
        assertThat(read.coordinator()).isEqualTo(COORDINATOR);
    }

    @ParameterizedTest
    @EnumSource
    void hostsAskNothingElse(HostGroupOperation operation) {
        assertThat(GroupRequest.Operation.values()).extracting(Enum::name).contains(operation.name());
    }
}
