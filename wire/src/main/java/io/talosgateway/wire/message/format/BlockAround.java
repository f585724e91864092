package io.talosgateway.wire.message.format;

import java.nio.charset.StandardCharsets;

import io.talosgateway.thrift.MessageType;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

/**
 * Makes the block that {@link MessageEncoder} makes of one message, in version 3 and not compressed, without a copy of the payload:
 * the rest of the block is written around it, into its array.
 *
 * <pre>
 *   56 0003 00 length of the struct
 *   18 length key          if there is a key: field 1
 *   28 length PAYLOAD      field 3; 38 without a key
 *   35 type                field 6
 *   03 c801 form           if there is a form: field 100
 *   00
 * </pre>
 *
 * The struct is in the Thrift compact protocol: lengths are varints, the type a zigzag one.
 */
public final class BlockAround {

    /** Bytes before the payload: enough for a key of some 40 characters. */
    public static final int ROOM_BEFORE = 64;

    /** Bytes behind the payload. */
    public static final int ROOM_BEHIND = 16;

    private static final byte[] NO_KEY = {};

    private BlockAround() {}

    /**
     * The block, unless the message has a long key, or fields that are not in the drawing.
     *
     * @param message whose payload has room around it, in an array that only the caller uses
     * @return null, and nothing is written, if there is not enough room, or the message is another one
     */
    public static @Nullable MessageBlock of(Message message) {
        Integer type = message.type();
        if (message.sequenceNumber() != null
                || message.createTimestampMs() != null
                || message.appendTimestampMs() != null
                || message.schemaFingerprint() != null
                || message.tag() != null
                || (type != null && MessageType.findByValue(type) == null)) {
            return null;
        }
        byte[] key = message.key() == null ? NO_KEY : message.key().getBytes(StandardCharsets.UTF_8);
        ByteSlice payload = message.payload();
        int keyField = message.key() == null ? 0 : 1 + varintBytes(key.length) + key.length;
        int beforePayload = keyField + 1 + varintBytes(payload.length());
        int before = MessageVersion.HEADER_BYTES + Integer.BYTES + beforePayload;
        int end = payload.offset() + payload.length();
        if (before > payload.offset() || end + ROOM_BEHIND > payload.array().length) {
            return null;
        }
        byte[] out = payload.array();
        int start = payload.offset() - before;
        end = behind(out, end, type == null ? Message.BINARY : type, message.form());
        int at = start;
        out[at++] = MessageVersion.MARK;
        out[at++] = 0;
        out[at++] = (byte) MessageVersion.V3.number();
        out[at++] = 0;
        int struct = end - at - Integer.BYTES;
        for (int shift = 24; shift >= 0; shift -= 8) {
            out[at++] = (byte) (struct >>> shift);
        }
        if (message.key() != null) {
            out[at++] = 0x18;
            at = varint(out, at, key.length);
            System.arraycopy(key, 0, out, at, key.length);
            at += key.length;
        }
        out[at++] = (byte) (message.key() == null ? 0x38 : 0x28);
        varint(out, at, payload.length());
        return new MessageBlock(
                1,
                Compression.NONE.code(),
                new ByteSlice(out, start, end - start),
                MessageBlock.NO_TIMESTAMP,
                ByteSlice.EMPTY);
    }

    private static int behind(byte[] out, int from, int type, @Nullable ValueForm form) {
        int at = from;
        out[at++] = 0x35;
        at = varint(out, at, (type << 1) ^ (type >> 31));
        if (form != null) {
            out[at++] = 0x03;
            at = varint(out, at, ValueFormWriter.FIELD_ID << 1);
            out[at++] = form.code();
        }
        out[at++] = 0;
        return at;
    }

    private static int varintBytes(int value) {
        int bytes = 1;
        for (int rest = value >>> 7; rest != 0; rest >>>= 7) {
            bytes++;
        }
        return bytes;
    }

    private static int varint(byte[] out, int from, int value) {
        int at = from;
        int rest = value;
        for (; (rest & ~0x7f) != 0; rest >>>= 7) {
            out[at++] = (byte) ((rest & 0x7f) | 0x80);
        }
        out[at++] = (byte) rest;
        return at;
    }
}
