package io.talosgateway.wire.thrift;

import java.util.Locale;

import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TJSONProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.apache.thrift.transport.TTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/** The Thrift protocols, chosen by content type. The Talos SDKs use the compact one only. */
public enum ThriftFormat {
    COMPACT("application/x-thrift-compact", new TCompactProtocol.Factory()),
    BINARY("application/x-thrift-binary", new TBinaryProtocol.Factory(true, true)),
    JSON("application/x-thrift-json", new TJSONProtocol.Factory());

    private static final String PLAIN_JSON = "application/x-thrift";
    private static final int RECURSION_LIMIT = 64;

    private final String contentType;

    @SuppressWarnings("ImmutableEnumChecker") // a factory holds its settings only
    private final TProtocolFactory factory;

    ThriftFormat(String contentType, TProtocolFactory factory) {
        this.contentType = contentType;
        this.factory = factory;
    }

    public String contentType() {
        return contentType;
    }

    /** The format with this content type, parameters aside; null if there is none. */
    public static @Nullable ThriftFormat ofContentType(@Nullable String header) {
        if (header == null) {
            return null;
        }
        int semicolon = header.indexOf(';');
        String type =
                (semicolon < 0 ? header : header.substring(0, semicolon)).trim().toLowerCase(Locale.ROOT);
        for (ThriftFormat format : values()) {
            if (format.contentType.equals(type)) {
                return format;
            }
        }
        return type.equals(PLAIN_JSON) ? JSON : null;
    }

    /** Reads the bytes; binary values are slices of them, where the format allows it. */
    public TProtocol reading(ByteSlice bytes) throws TTransportException {
        // No length in the message can exceed the message: a lie is found before memory is taken for it.
        TConfiguration limits =
                new TConfiguration(Math.max(1, bytes.length()), Math.max(1, bytes.length()), RECURSION_LIMIT);
        return new NestingLimit(
                factory.getProtocol(new TMemoryInputTransport(limits, bytes.array(), bytes.offset(), bytes.length())));
    }

    public TProtocol writing(TTransport transport) {
        return factory.getProtocol(transport);
    }
}
