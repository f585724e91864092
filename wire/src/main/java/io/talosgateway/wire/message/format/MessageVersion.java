package io.talosgateway.wire.message.format;

/**
 * How a message is serialized inside a block. A message starts with {@code 'V'}, the version as an unsigned 16-bit
 * number, and a zero; one of version 1 has no such header. Versions may be mixed in one block.
 */
public enum MessageVersion {
    /** Java SDK before 2.0.0: sequence number and payload only. Read, never written. */
    V1(1),
    /** Java SDK 2.0: no partition key, no append timestamp, no schema. Every client reads it. */
    V2(2),
    /** Java SDK from 2.1.0 and Go SDK: the whole message as a Thrift struct. */
    V3(3);

    static final byte MARK = 'V';
    static final int HEADER_BYTES = 4;

    private final int number;

    MessageVersion(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
