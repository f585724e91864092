package io.talosgateway.rest.message;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class MessageBatchTest {

    private final MessageBlock block = new MessageBlock(1, 0, ByteSlice.utf8("hello"), 1, ByteSlice.EMPTY);

    @Test
    void givesItsArrayOnceAndItsBlocksNoMore() {
        MessageBatch left = new MessageBatch(List.of(block));
        List<byte[]> given = new ArrayList<>();
        MessageBatch batch = left.recycledTo(given::add);
        assertThat(batch.blocks()).containsExactly(block);

        batch.recycle();
        batch.recycle();

        assertThat(given).containsExactly(block.data().array());
        assertThatThrownBy(batch::blocks).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(batch::digest).isInstanceOf(IllegalStateException.class);
        assertThat(batch.messageCount()).isEqualTo(1);
        assertThat(batch.bytes()).isEqualTo(left.bytes());
        assertThat(batch.checksum()).isEqualTo(left.checksum());
    }

    @Test
    void keepsItsBlocksIfNobodyTakesTheArray() {
        MessageBatch batch = new MessageBatch(List.of(block));

        batch.recycle();

        assertThat(batch.blocks()).containsExactly(block);
    }
}
