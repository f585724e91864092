package io.talosgateway.rest.peer;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;

/** One end of a connection between hosts, in the hands of the test, which may send whatever it wants. */
final class RawConnection implements AutoCloseable {

    private static final int PATIENCE_MS = 120_000;

    private final Socket socket;

    RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MS);
        socket.setTcpNoDelay(true);
    }

    static RawConnection to(int port) throws IOException {
        return new RawConnection(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Sends a message as hosts do. */
    void send(ThriftEnvelope.StructWriter message) throws IOException, TException {
        OutputStream out = socket.getOutputStream();
        for (ByteSlice slice : HostFrame.of(message).slices()) {
            out.write(slice.array(), slice.offset(), slice.length());
        }
        out.flush();
    }

    /** Sends bytes as they are. */
    void sendBytes(byte... bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    /** Waits for a message of the other side. */
    TProtocol receive() throws IOException, TException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] body = new byte[in.readInt()];
        in.readFully(body);
        return HostFrame.reading(new ByteSlice(body));
    }

    /** Waits until the other side ends the connection; bytes that come before are not expected. */
    boolean isEnded() throws IOException {
        return bytesUntilEnd() == 0;
    }

    /** Waits until the other side ends the connection; how many bytes came before. */
    long bytesUntilEnd() throws IOException {
        long bytes = 0;
        try {
            while (socket.getInputStream().read() >= 0) {
                bytes++;
            }
        } catch (SocketException reset) {
            // An end as well: something that was sent was not read.
        }
        return bytes;
    }

    /** Sends no more; the other side can still answer. */
    void sendNoMore() throws IOException {
        socket.shutdownOutput();
    }

    Socket socket() {
        return socket;
    }

    /** Ends the connection without a farewell, as a process that is killed with bytes unread. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
