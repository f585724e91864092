package io.talosgateway.wire.auth;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;

import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The signatures are test vectors made with the official SDKs. */
final class RequestSignerTest {

    private final RequestSigner signer = new RequestSigner(
            "AKEXAMPLEKEYID", "exampleSecretKey0123456789", InstantSource.fixed(Instant.ofEpochSecond(1_600_000_000)));

    private static String digest(String bodyHex) {
        return GalaxySignature.md5(new ByteSlice(HexFormat.of().parseHex(bodyHex)));
    }

    @ParameterizedTest
    @CsvSource({
        "8221010f6765744465736372696265496e666f1c180974657374546f7069630000, ekZFYvNkvMmkK6ywWIIn5MYTHbI=",
        // Its digest begins with zeros, which the Go SDK sends and the Java SDK does not.
        "8221010f6765744465736372696265496e666f1c180574373731380000, Rw/yrv2i4QOpxGUF1aawti5OA/8="
    })
    void signatureIsThatOfTheSdks(String bodyHex, String signature) {
        assertThat(signer.headers("/v1/api/topic", "application/x-thrift-compact", digest(bodyHex)))
                .containsEntry("Authorization", "Galaxy-V3 AKEXAMPLEKEYID:" + signature)
                .containsEntry("X-Xiaomi-Timestamp", "1600000000")
                .containsEntry("x-xiaomi-date", "Sun, 13 Sep 2020 12:26:40 GMT")
                .containsEntry("X-Xiaomi-Content-MD5", digest(bodyHex))
                .hasSize(4);
    }

    @Test
    void dayOfTheMonthHasTwoDigits() {
        RequestSigner second =
                new RequestSigner("id", "secret", InstantSource.fixed(Instant.parse("2026-03-02T01:02:03.999Z")));

        assertThat(second.headers("/", "x", "")).containsEntry("x-xiaomi-date", "Mon, 02 Mar 2026 01:02:03 GMT");
    }
}
