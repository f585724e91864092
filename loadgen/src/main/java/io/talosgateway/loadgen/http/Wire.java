package io.talosgateway.loadgen.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * What goes over a connection that was made, as it is or encrypted. With a blocking channel, its methods block; with another,
 * they do what can be done at once. For one thread.
 */
public interface Wire {

    /** Makes wires for channels that are connected. */
    interface Factory {
        Wire over(SocketChannel channel) throws IOException;
    }

    /** Bytes as they are. */
    static Wire plain(SocketChannel channel) {
        return new Wire() {
            @Override
            public boolean handshake() {
                return true;
            }

            @Override
            public int read(ByteBuffer into) throws IOException {
                return channel.read(into);
            }

            @Override
            public boolean write(ByteBuffer[] from) throws IOException {
                channel.write(from);
                return !RequestBytes.hasMore(from);
            }

            @Override
            public boolean wantsToWrite() {
                return false;
            }

            @Override
            public boolean mayHaveMore() {
                return false;
            }
        };
    }

    /**
     * Goes on with what comes before the first request.
     *
     * @return true if nothing more comes before it; to be called again otherwise, when the channel can do something
     */
    boolean handshake() throws IOException;

    /**
     * Reads what is there.
     *
     * @return how many bytes; 0 if there are none yet, -1 if the server has closed the connection
     */
    int read(ByteBuffer into) throws IOException;

    /**
     * Writes what can be written.
     *
     * @return true if everything is on its way; to be called again with the same otherwise, when the channel can be written to
     */
    boolean write(ByteBuffer[] from) throws IOException;

    /** Whether the handshake waits until the channel can be written to. */
    boolean wantsToWrite();

    /** Whether there may be bytes to read that the channel does not know of. */
    boolean mayHaveMore();
}
