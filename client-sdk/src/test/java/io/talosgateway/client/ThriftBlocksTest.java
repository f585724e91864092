package io.talosgateway.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The bytes are test vectors made with the official SDKs (docs/message-format.md). */
final class ThriftBlocksTest {

    private static MessageBlock block(long offset, int messages, MessageCompressionType compression, byte[] data) {
        return new MessageBlock(offset, messages, compression, ByteBuffer.wrap(data)).setAppendTimestamp(777);
    }

    @Test
    void messageIsWrittenAsTheNewerSdksDo() {
        MessageBlock block =
                ThriftBlocks.encode(List.of(NewMessage.of("hello")), BlockCompression.NONE, 1_600_000_000_000L);

        assertThat(ByteSlice.of(block.bufferForMessageBlock()).toByteArray())
                .asHexString()
                .isEqualToIgnoringCase("5600030000000011380568656c6c6f168080f4f6905d250200");
        assertThat(block.getMessageBlockSize()).isEqualTo(25);
        assertThat(block.getCreateTimestamp()).isEqualTo(1_600_000_000_000L);
        assertThat(block.getMessageNumber()).isEqualTo(1);
    }

    /** Two messages: "hello", and "world!" with a sequence number. */
    @ParameterizedTest
    @CsvSource({
        "NONE, 000000000000000568656c6c6f000000057365712d3100000006776f726c6421",
        "SNAPPY, 82534e415050590000000001000000010000001f2000000901600568656c6c6f000000057365712d3100000006776f726c6421",
        "GZIP, 1f8b08000000000000ff63600003d68cd49c9c7c10a338b550d710c8602bcf2fca49510400276339bf20000000",
        "NONE, 5600020000000174876e8000000100000000000568656c6c6f"
                + "5600020000000174876e81f4000200057365712d3100000006776f726c6421",
        "SNAPPY, 82534e4150505900000000010000000100000032"
                + "38385600020000000174876e80000001000101140568656c6c6f"
                + "19195081f4000200057365712d3100000006776f726c6421",
        "NONE, 5600030000000011380568656c6c6f168080f4f6905d250200"
                + "560003000000001f1804706b2d3118057365712d311806776f726c642116e887f4f6905d250400",
        "SNAPPY, 82534e415050590000000001000000010000003e4060"
                + "5600030000000011380568656c6c6f168080f4f6905d2502000d19"
                + "7c1f1804706b2d3118057365712d311806776f726c642116e887f4f6905d250400",
        "GZIP, 1f8b08000000000000ff0b6360660002410bd68cd49c9c7cb186862fdf26c4aa3231844124e425580ab2750d25588b530b81"
                + "145b797e514e8aa2d88b76b032160600627af5da40000000"
    })
    void everythingThatSdksPutIsRead(MessageCompressionType compression, String hex) {
        List<Message> messages = ThriftBlocks.decode(
                List.of(block(41, 2, compression, HexFormat.of().parseHex(hex))), 41);

        assertThat(messages).extracting(Message::text).containsExactly("hello", "world!");
        assertThat(messages).extracting(Message::offset).containsExactly(41L, 42L);
        assertThat(messages).extracting(Message::sequenceNumber).containsExactly(null, "seq-1");
        assertThat(messages).extracting(Message::appendedAtMs).containsExactly(777L, 777L);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsPutIsRead(BlockCompression compression) {
        byte[] large = new byte[300_000];
        new Random(7).nextBytes(large);
        List<NewMessage> put = List.of(
                NewMessage.of("a").withKey("k"),
                NewMessage.of("ä".repeat(100)),
                NewMessage.of(large),
                NewMessage.of(""));

        MessageBlock block = ThriftBlocks.encode(put, compression, 5).setStartMessageOffset(10);
        List<Message> got = ThriftBlocks.decode(List.of(block), 11);

        assertThat(got).extracting(Message::offset).containsExactly(11L, 12L, 13L);
        assertThat(got.get(0).payload()).isEqualTo("ä".repeat(100).getBytes(StandardCharsets.UTF_8));
        assertThat(got.get(1).payload()).isEqualTo(large);
        assertThat(got.get(2).payload()).isEmpty();
        assertThat(ThriftBlocks.decode(List.of(block), 0).get(0).key()).isEqualTo("k");
        assertThat(got.get(0).createdAtMs()).isEqualTo(5);
        assertThat(got.get(0).appendedAtMs()).isNull();
    }

    @Test
    void blockThatEndsEarlyIsAClearFailure() {
        MessageBlock truncated = block(8, 2, MessageCompressionType.NONE, new byte[] {0, 0, 0, 0, 0, 0, 0, 1, 'a'});
        MessageBlock noGzip = block(9, 1, MessageCompressionType.GZIP, new byte[] {1, 2, 3});

        assertThatThrownBy(() -> ThriftBlocks.decode(List.of(truncated), 8))
                .isInstanceOf(GatewayClientException.class)
                .hasMessage("The messages from offset 8 on cannot be decoded: "
                        + "the block ends before its 2 messages do");
        assertThatThrownBy(() -> ThriftBlocks.decode(List.of(noGzip), 9))
                .isInstanceOf(GatewayClientException.class)
                .hasMessageStartingWith("The messages from offset 9 on cannot be decoded: the block is not valid GZIP");
    }
}
