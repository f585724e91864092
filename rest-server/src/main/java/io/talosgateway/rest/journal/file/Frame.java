package io.talosgateway.rest.journal.file;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;

/** A frame of messages, read back. */
public record Frame(FrameHeader header, ByteSlice body) {

    public List<StoredBlock> blocks() {
        List<StoredBlock> blocks = new ArrayList<>(header.blocks().size());
        long offset = header.firstOffset();
        int at = 0;
        for (FrameHeader.BlockHeader block : header.blocks()) {
            ByteSlice data = body.slice(at, block.dataLength());
            at += block.dataLength();
            ByteSlice extra = block.extraLength() == 0 ? ByteSlice.EMPTY : body.slice(at, block.extraLength());
            at += block.extraLength();
            blocks.add(new StoredBlock(
                    offset,
                    header.appendTimestampMs(),
                    new MessageBlock(
                            block.messageNumber(), block.compression(), data, block.createTimestampMs(), extra)));
            offset += block.messageNumber();
        }
        return blocks;
    }
}
