package io.talosgateway.rest.http.talos;

import java.util.List;

import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;

/** Puts messages as an SDK does, for tests that are about something else. */
final class TalosTestMessages {

    private TalosTestMessages() {}

    static void put(TalosTestClient client, TopicInfo topic, int partition, String text) throws Exception {
        MessageBlock block = MessageEncoder.encode(
                List.of(new Message(null, null, ByteSlice.utf8(text), 1L, null, Message.BINARY, null, null)),
                MessageVersion.V2,
                Compression.NONE);
        client.call(
                ThriftService.MESSAGE,
                MessageMethods.PUT_MESSAGE,
                new PutMessageRequest(
                        new TopicAndPartition(topic.getTopicName(), topic.getTopicTalosResourceName(), partition),
                        List.of(new io.talosgateway.thrift.MessageBlock(
                                0,
                                block.messageNumber(),
                                MessageCompressionType.findByValue(block.compression()),
                                block.data().toByteBuffer())),
                        block.messageNumber(),
                        "SimpleProducer" + topic.getTopicName() + "#" + partition + text.hashCode()));
    }
}
