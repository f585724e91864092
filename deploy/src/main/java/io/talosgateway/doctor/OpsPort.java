package io.talosgateway.doctor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import io.talosgateway.rest.http.HttpConfig;
import io.talosgateway.rest.http.ops.OpsConfig;

/** Whether a gateway listens at an operations port. Stateless. */
final class OpsPort {

    private static final int TIMEOUT_MS = 10_000;
    private static final String ALIVE = "alive";

    private OpsPort() {}

    /** Over TLS, whether anything listens. */
    static boolean answers(OpsConfig ops) {
        HttpConfig listen = ops.listen();
        String host = Addresses.isAny(listen.host()) ? "127.0.0.1" : listen.host();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, listen.port()), TIMEOUT_MS);
            if (ops.tls()) {
                return true;
            }
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream()
                    .write("GET /health/live HTTP/1.0\r\nHost: %s:%d\r\n\r\n"
                            .formatted(host, listen.port())
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(4_096);
            return new String(answer, StandardCharsets.US_ASCII).stripTrailing().endsWith(ALIVE);
        } catch (IOException e) {
            return false;
        }
    }
}
