package io.talosgateway.deploy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one HTTP/1.1 answer after another from a connection, as far as they have arrived. For one thread. */
final class HttpAnswer {

    private static final int FIRST_BYTES = 1 << 10;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
    private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: (\\d+)\r\n", Pattern.CASE_INSENSITIVE);
    private static final String END_OF_HEAD = "\r\n\r\n";

    private ByteBuffer bytes = ByteBuffer.allocate(FIRST_BYTES);
    private int status;
    private byte[] body = new byte[0];

    /** Reads what is there; true if the answer is complete. */
    boolean readFrom(SocketChannel channel) throws IOException {
        if (!bytes.hasRemaining()) {
            bytes = ByteBuffer.allocate(2 * bytes.capacity()).put(bytes.flip());
        }
        if (channel.read(bytes) < 0) {
            throw new EOFException("the gateway closed the connection");
        }
        String head = new String(bytes.array(), 0, bytes.position(), StandardCharsets.ISO_8859_1);
        int end = head.indexOf(END_OF_HEAD);
        if (end < 0) {
            return false;
        }
        int bodyFrom = end + END_OF_HEAD.length();
        int bodyTo = bodyFrom + Integer.parseInt(first(LENGTH, head.substring(0, bodyFrom)));
        if (bytes.position() < bodyTo) {
            return false;
        }
        status = Integer.parseInt(first(STATUS, head));
        body = Arrays.copyOfRange(bytes.array(), bodyFrom, bodyTo);
        bytes.flip().position(bodyTo);
        bytes.compact();
        return true;
    }

    private static String first(Pattern pattern, String head) throws IOException {
        Matcher matcher = pattern.matcher(head);
        if (!matcher.find()) {
            throw new IOException("not the head of an answer: " + head);
        }
        return matcher.group(1);
    }

    int status() {
        return status;
    }

    byte[] body() {
        return body;
    }
}
