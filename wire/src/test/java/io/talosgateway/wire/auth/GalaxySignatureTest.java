package io.talosgateway.wire.auth;

import java.util.HexFormat;

import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The signatures are test vectors made with the official SDKs. */
final class GalaxySignatureTest {

    private static final String SECRET = "exampleSecretKey0123456789";
    private static final String BODY_A = "8221010f6765744465736372696265496e666f1c180974657374546f7069630000";
    private static final String BODY_LEADING_ZEROS = "8221010f6765744465736372696265496e666f1c180574373731380000";

    private static SignableRequest signed(String path, String query, String bodyHex) {
        return new SignableRequest(
                "POST", path, query, new ByteSlice(HexFormat.of().parseHex(bodyHex)));
    }

    private static SignableRequest vector(String query, String body, String md5) {
        return signed("/v1/api/topic", query, body)
                .with("Content-Type", "application/x-thrift-compact")
                .with("X-Xiaomi-Timestamp", "1600000000")
                .with("x-xiaomi-date", "Sun, 13 Sep 2020 12:26:40 GMT")
                .with("X-Xiaomi-Content-MD5", md5);
    }

    private static SignableRequest vector1() {
        return vector("id=0a1b2c3d&type=getDescribeInfo", BODY_A, "dcd5cecdaf8087dacd406855d72c08ec");
    }

    @Test
    void stringToSignIsThatOfTheSdks() {
        assertThat(GalaxySignature.stringToSign(vector1())).isEqualTo("""
                        POST

                        application/x-thrift-compact

                        x-xiaomi-content-md5:dcd5cecdaf8087dacd406855d72c08ec
                        x-xiaomi-date:Sun, 13 Sep 2020 12:26:40 GMT
                        x-xiaomi-timestamp:1600000000
                        /v1/api/topic""");
    }

    @Test
    void signaturesAreThoseOfTheSdks() {
        assertThat(GalaxySignature.sign(SECRET, vector1())).isEqualTo("ekZFYvNkvMmkK6ywWIIn5MYTHbI=");
        assertThat(GalaxySignature.sign(SECRET, vector1().with("x-xiaomi-custom", "v1")))
                .isEqualTo("XxVTvtamkAByN8AosZXXK3CFPRY=");
        assertThat(GalaxySignature.sign(
                        SECRET,
                        vector(
                                "id=0a1b2c3d&type=getDescribeInfo&acl&quota=x",
                                BODY_A,
                                "dcd5cecdaf8087dacd406855d72c08ec")))
                .isEqualTo("sg6QQOMJbLiOEvgWoCv+7jpCuWM=");
        assertThat(GalaxySignature.sign(SECRET, vector(null, BODY_LEADING_ZEROS, "ad0e3ad400444aca83a34a79d546c")))
                .isEqualTo("L6UPSthozJfcbVgcu7y37M1Uzhs=");
        assertThat(GalaxySignature.sign(SECRET, vector(null, BODY_LEADING_ZEROS, "000ad0e3ad400444aca83a34a79d546c")))
                .isEqualTo("Rw/yrv2i4QOpxGUF1aawti5OA/8=");
    }

    @Test
    void signatureOfACapturedRequest() {
        SignedRequest captured = signed("/v1/api/message", "id=72bf30e9&type=putMessage", "00")
                .with("Content-Type", "application/x-thrift-compact")
                .with("Accept", "application/x-thrift-compact")
                .with("User-Agent", "Java-SDK/1.0.0 Java/17.0.15")
                .with("Host", "127.0.0.1")
                .with("X-Xiaomi-Timestamp", "1795164349")
                .with("x-xiaomi-date", "Fri, 20 Nov 2026 08:45:49 GMT")
                .with("X-Xiaomi-Content-MD5", "ea39726a22c3df6feef924389118b6bd");

        assertThat(GalaxySignature.sign(SECRET, captured)).isEqualTo("wJC0VcRRW//FfIUjS13RqDYyMQM=");
        ByteSlice body = new ByteSlice(HexFormat.of()
                .parseHex(
                        "8221010a7075744d6573736167651c1c180974657374546f7069631c181a434c3130302374657374546f706963233030"
                                + "313132323333343400150000191c160015061502184582534e4150505900000000010000000100000031516856000300"
                                + "00000013380768656c6c6f2d3016a6969182bf682502003e1b000031661b00283216a6969182bf68250200158a0126a6"
                                + "969182bf68001506182553696d706c6550726f6475636572313739353136343334393332333264373562623730233116"
                                + "a8b39282bf680000"));
        assertThat(body.length()).isEqualTo(200);
        assertThat(GalaxySignature.isDigestOf("ea39726a22c3df6feef924389118b6bd", body))
                .isTrue();
    }

    @Test
    void severalValuesOfAHeaderAreJoinedAndSortedByName() {
        SignableRequest request =
                vector1().with("X-Xiaomi-B", " second ").with("x-xiaomi-a", "1").with("x-xiaomi-b", "third");

        assertThat(GalaxySignature.stringToSign(request))
                .contains("x-xiaomi-a:1\nx-xiaomi-b: second ,third\nx-xiaomi-content");
    }

    @Test
    void dateLineIsTheDateHeaderOrTheExpiry() {
        SignableRequest dated = signed("/p", null, "").with("Date", "today");

        assertThat(GalaxySignature.stringToSign(dated)).isEqualTo("POST\n\n\ntoday\n/p");
        assertThat(GalaxySignature.stringToSign(
                        signed("/p", "Expires=17&x=1", "").with("Date", "today")))
                .isEqualTo("POST\n\n\n17\n/p");
    }

    @Test
    void digestOfJavaLacksLeadingZeros() {
        ByteSlice body = new ByteSlice(HexFormat.of().parseHex(BODY_LEADING_ZEROS));

        assertThat(GalaxySignature.md5(body)).isEqualTo("000ad0e3ad400444aca83a34a79d546c");
        assertThat(GalaxySignature.isDigestOf("ad0e3ad400444aca83a34a79d546c", body))
                .isTrue();
        assertThat(GalaxySignature.isDigestOf("0ad0e3ad400444aca83a34a79d546c", body))
                .isTrue();
        assertThat(GalaxySignature.isDigestOf("AD0E3AD400444ACA83A34A79D546C", body))
                .isTrue();
        assertThat(GalaxySignature.isDigestOf("d0e3ad400444aca83a34a79d546c", body))
                .isFalse();
        assertThat(GalaxySignature.isDigestOf("0000ad0e3ad400444aca83a34a79d546c", body))
                .isFalse();
        assertThat(GalaxySignature.isDigestOf("", body)).isFalse();
    }
}
