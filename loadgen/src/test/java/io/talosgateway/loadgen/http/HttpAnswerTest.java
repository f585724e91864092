package io.talosgateway.loadgen.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Answers in pieces of every size. */
final class HttpAnswerTest {

    private final HttpAnswer answer = new HttpAnswer();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Gives the text in pieces; the answer must be complete at its end and not before. */
    private void take(String text, int pieceBytes) throws IOException {
        answer.reset();
        ByteBuffer all = bytes(text);
        while (all.hasRemaining()) {
            int length = Math.min(pieceBytes, all.remaining());
            boolean complete = answer.take(all.slice(all.position(), length));
            all.position(all.position() + length);
            assertThat(complete).isEqualTo(!all.hasRemaining());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 1000})
    void bodyWithALengthIsCountedAndPassedOver(int pieceBytes) throws Exception {
        take("HTTP/1.1 200 OK\r\nServer: x\r\ncontent-LENGTH:  11 \r\n\r\nhello world", pieceBytes);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.bodyBytes()).isEqualTo(11);
        assertThat(answer.keepsAlive()).isTrue();
        assertThat(answer.nextOffset()).isEqualTo(-1);
        assertThat(answer.errorBody()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 1000})
    void chunkedBodyIsCountedWithoutItsFrames(int pieceBytes) throws Exception {
        take(
                "HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\nB\r\n, big world\r\n0\r\nTrailer: 1\r\n\r\n",
                pieceBytes);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.bodyBytes()).isEqualTo(16);
        assertThat(answer.errorBody()).isEqualTo("hello, big world");
    }

    @Test
    void nextOffsetIsTakenFromItsHeader() throws Exception {
        take("HTTP/1.1 200 OK\r\nTalos-Next-Offset: 1234567890123\r\nContent-Length: 0\r\n\r\n", 1000);

        assertThat(answer.nextOffset()).isEqualTo(1_234_567_890_123L);
    }

    @Test
    void answerWithoutABodyEndsWithItsHeaders() throws Exception {
        take("HTTP/1.1 204 No Content\r\nTalos-Next-Offset: 7\r\n\r\n", 5);

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.nextOffset()).isEqualTo(7);
    }

    @Test
    void interimAnswerIsPassedOver() throws Exception {
        take("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", 4);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.bodyBytes()).isEqualTo(2);
    }

    @Test
    void serverMaySayThatItClosesTheConnection() throws Exception {
        take("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", 1000);
        assertThat(answer.keepsAlive()).isFalse();

        take("HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n", 1000);
        assertThat(answer.keepsAlive()).isTrue();

        take("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n", 1000);
        assertThat(answer.keepsAlive()).isFalse();
    }

    @Test
    void bodyWithoutALengthEndsWithTheConnection() throws Exception {
        assertThat(answer.take(bytes("HTTP/1.1 200 OK\r\n\r\nall of it"))).isFalse();

        assertThat(answer.takeEnd()).isTrue();
        assertThat(answer.bodyBytes()).isEqualTo(9);
        assertThat(answer.keepsAlive()).isFalse();
    }

    @Test
    void connectionThatClosesInAnAnswerBreaksIt() throws Exception {
        answer.take(bytes("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));

        assertThat(answer.takeEnd()).isFalse();
    }

    @Test
    void whatFollowsAnAnswerIsLeft() throws Exception {
        ByteBuffer two = bytes("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 404 No\r\n");

        assertThat(answer.take(two)).isTrue();
        assertThat(two.remaining()).isEqualTo("HTTP/1.1 404 No\r\n".length());
    }

    @Test
    void longErrorIsKeptInPartAndCountedWhole() throws Exception {
        take("HTTP/1.1 500 Bad\r\nContent-Length: 10000\r\n\r\n" + "x".repeat(10_000), 999);

        assertThat(answer.errorBody()).hasSize(4096);
        assertThat(answer.bodyBytes()).isEqualTo(10_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2\r\n",
                "HTTP/1.1 abc\r\n",
                "\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: x\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length:\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
            })
    void whatIsNotHttpIsRefused(String text) {
        assertThatThrownBy(() -> answer.take(bytes(text)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("does not speak HTTP/1.1");
    }

    @Test
    void lineWithoutAnEndIsRefused() {
        assertThatThrownBy(() -> answer.take(bytes("HTTP/1.1 200 " + "x".repeat(10_000))))
                .isInstanceOf(IOException.class);
    }

    @Test
    void retryAfterIsTakenFromItsHeader() throws Exception {
        take("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", 3);
        assertThat(answer.retryAfterSeconds()).isEqualTo(7);

        take("HTTP/1.1 503 Busy\r\nRetry-After: Fri, 31 Dec 1999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n", 3);
        assertThat(answer.retryAfterSeconds()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 100_000})
    void bodiesAreKeptIfThatIsAskedFor(int pieceBytes) throws Exception {
        HttpAnswer keeping = HttpAnswer.keepingBodies(10_000);
        ByteBuffer all = bytes("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n" + "ab".repeat(5_000));
        while (all.hasRemaining()) {
            int length = Math.min(pieceBytes, all.remaining());
            keeping.take(all.slice(all.position(), length));
            all.position(all.position() + length);
        }

        assertThat(keeping.body()).asString().isEqualTo("ab".repeat(5_000));
        keeping.reset();
        assertThat(keeping.body()).isEmpty();
    }
}
