package io.talosgateway.rest.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.wire.auth.SignableRequest;
import io.talosgateway.wire.message.ByteSlice;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What certificates stand for, and for how long. */
final class CertificateKeysTest {

    @TempDir
    static Path directory;

    private static X509Certificate collector;
    private static X509Certificate billing;

    @BeforeAll
    static void issue() throws Exception {
        TestCertificates authority = new TestCertificates(directory, "authority");
        collector = authority.issue("collector", "EC").chain().get(0);
        billing = authority
                .issue("billing", "EC", "-ext", "san=uri:spiffe://example.org/billing,uri:urn:other")
                .chain()
                .get(0);
    }

    private static CertificateKeys parse(String... lines) throws IOException {
        return parseText(String.join("\n", lines) + "\n");
    }

    private static CertificateKeys parseText(String text) throws IOException {
        return CertificateKeys.parse(Path.of("keys.txt"), text.getBytes(StandardCharsets.UTF_8));
    }

    private static void assertRefused(ThrowingCallable call, String... reasons) {
        assertThatThrownBy(call).isInstanceOfSatisfying(GatewayException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
            assertThat(refusal.detail()).contains(reasons);
        });
    }

    @Test
    void certificatesStandForTheKeyOfTheirSubjectOrUri() throws Exception {
        CertificateKeys keys =
                parse("# who is who", "", "  TG1   cn=Collector ", "TG2\tURI:spiffe://example.org/billing");

        assertThat(keys.keyOf(collector)).isEqualTo("TG1");
        assertThat(keys.keyOf(billing)).isEqualTo("TG2");
        assertThat(parse("TG2 URI:urn:other", "TG2 CN=billing").keyOf(billing)).isEqualTo("TG2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "TG1 CN=collector,O=Example",
                "TG1 CN=collecto",
                "TG1 OU=collector",
                "TG1 URI:spiffe://example.org/billin",
                "TG1 URI:SPIFFE://example.org/billing",
                "TG1 URI:CN=collector"
            })
    void othersStandForNobody(String line) throws Exception {
        CertificateKeys keys = parse(line);

        assertRefused(() -> keys.keyOf(collector), "'CN=collector' stands for no key", "tls.client-keys");
        assertRefused(() -> keys.keyOf(billing), "'CN=billing' stands for no key");
    }

    @Test
    void certificateOfSeveralKeysIsRefused() throws Exception {
        CertificateKeys keys = parse("TG1 CN=billing", "TG2 URI:urn:other");

        assertRefused(() -> keys.keyOf(billing), "stands for several keys");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            TG1                      | line 1 is wrong: it must hold a key's id and the subject or URI of a certificate.
            #;TG1 collector          | line 2 is wrong: 'collector' is not a subject like CN=collector,O=Example.
            TG1 CN=a;TG2 cn=A        | line 2 is wrong: 'cn=A' is there twice.
            TG1 URI:a;;TG1 URI:a     | line 3 is wrong: 'URI:a' is there twice.
            """)
    void wrongFileIsNamedWithItsLine(String lines, String reason) {
        assertThatThrownBy(() -> parse(lines.split(";")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("keys.txt says which key")
                .hasMessageEndingWith(reason);
    }

    /** As it is while an editor writes it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "TG1 CN=collector", "# comment"})
    void halfAFileIsRefused(String text) {
        assertThatThrownBy(() -> parseText(text))
                .isInstanceOf(IOException.class)
                .hasMessage("keys.txt is empty or not written to its end: the last line must end with a line break.");
    }

    private static Principal identify(KeySettings settings, Instant now) throws IOException {
        AccessKey key = new AccessKey("TG1", "a secret of it", "alice", "team", false, settings, null, 0);
        CertificateKeys certificateKeys = parse("TG1 CN=collector");
        return new Authenticator(
                        new AuthConfig(Path.of("unused"), Duration.ofMinutes(15), true, false, 100, null, null),
                        Map.of("TG1", key)::get,
                        () -> certificateKeys,
                        null,
                        new LastUse(),
                        InstantSource.fixed(now))
                .identify(new SignableRequest("GET", "/", null, ByteSlice.EMPTY), collector)
                .principal();
    }

    @Test
    void certificateHasWhatItsKeyHasAndEndsWithIt() throws Exception {
        Instant now = collector.getNotBefore().toInstant();
        Instant end = collector.getNotAfter().toInstant();
        KeySettings settings = KeySettings.DEFAULT;

        assertThat(identify(settings, end.minusMillis(1)))
                .isEqualTo(new Principal("alice", "team", false, false, KeyScope.ALL));
        assertRefused(() -> identify(settings, end), "'CN=collector' expired at " + end);
        assertRefused(() -> identify(settings.withDisabled(true), now), "The key TG1 is disabled");
        assertRefused(() -> identify(settings.withExpiry(now.toEpochMilli()), now), "The key TG1 expired at " + now);
    }
}
