package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.DecodingRoom;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageDecoder;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import io.talosgateway.wire.message.format.UndecodableBlockException;
import org.jspecify.annotations.Nullable;

/**
 * Makes blocks readable for clients that cannot read what newer ones wrote. Java SDK 2.0 fails a whole get at one message
 * of version 3; no Java SDK can parse a reply with a block in ZSTD or LZ4, or a Kafka batch. Such blocks are opened and
 * made again with the same messages at the same offsets; all others pass as they are. Stateless.
 */
final class BlockCompatibility {

    private BlockCompatibility() {}

    /**
     * The blocks as the client can read them; only the first ones if there is no room to open all.
     *
     * @param readsV3 whether the client is newer than Java SDK 2.1
     * @throws GatewayException {@code NOT_ACCEPTABLE} if a block cannot be made readable, {@code OVERLOADED} if there is no
     *     room to open it
     */
    static List<StoredBlock> readableBy(
            ClientKind client, boolean readsV3, List<StoredBlock> blocks, DecodingRoom room) {
        if (client != ClientKind.JAVA) {
            return blocks;
        }
        List<StoredBlock> readable = new ArrayList<>();
        for (StoredBlock block : blocks) {
            try {
                readable.add(readableByJava(readsV3, block, room));
            } catch (GatewayException e) {
                room.throwRefusal();
                if (room.isExhausted() && !readable.isEmpty()) {
                    break;
                }
                throw e;
            }
        }
        return readable;
    }

    private static StoredBlock readableByJava(boolean readsV3, StoredBlock stored, DecodingRoom room) {
        MessageBlock block = stored.block();
        try {
            boolean readable = readsV3
                    ? MessageDecoder.isReadByJava(block)
                    : !MessageDecoder.needsNewerThanV2(block, DecodingRoom.MAX_BYTES, room);
            if (readable) {
                return stored;
            }
            List<Message> messages = MessageDecoder.decode(stored, DecodingRoom.MAX_BYTES, room);
            if (messages.size() != block.messageNumber()) {
                throw unreadable(
                        stored, "it holds " + messages.size() + " messages instead of " + block.messageNumber());
            }
            MessageBlock made = MessageEncoder.encode(
                    messages, readsV3 ? MessageVersion.V3 : MessageVersion.V2, Compression.SNAPPY);
            return new StoredBlock(stored.startOffset(), stored.appendTimestampMs(), made);
        } catch (UndecodableBlockException e) {
            if (MessageDecoder.isReadByJava(block) && !room.isExhausted()) {
                // Nothing that we understand better than the client: it gets what was put.
                return stored;
            }
            throw unreadable(stored, e.getMessage());
        }
    }

    private static GatewayException unreadable(StoredBlock stored, @Nullable String reason) {
        return new GatewayException(
                ErrorCode.NOT_ACCEPTABLE,
                "The messages from offset " + stored.startOffset() + " on were put by a newer client and cannot be "
                        + "converted for this one (" + reason + "). Read them with the Go SDK, or go on behind offset "
                        + (stored.endOffset() - 1) + ".");
    }
}
