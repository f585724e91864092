package io.talosgateway.rest.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.talosgateway.rest.tls.TestCertificates.Issued;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.talosgateway.rest.tls.TestCertificates.pem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** PEM files and key stores as operators have them, whole and wrong. */
final class CertificateFilesTest {

    @TempDir
    static Path shared;

    private static TestCertificates authority;
    private static Issued issued;
    private static Issued rsa;

    @TempDir
    Path directory;

    private Path certificate;
    private Path key;

    @BeforeAll
    static void issue() throws Exception {
        authority = new TestCertificates(shared, "authority");
        issued = authority.issue("ec", "EC");
        rsa = authority.issue("rsa", "RSA");
    }

    @BeforeEach
    void write() throws Exception {
        certificate = directory.resolve("certificate.pem");
        key = directory.resolve("key.pem");
        issued.write(certificate, key);
    }

    private static ServerCertificate read(CertificateFiles files) throws IOException {
        return files.parse(files.load());
    }

    private void assertRefused(String sentence) {
        assertThatThrownBy(() -> read(new PemFiles(certificate, key)))
                .isInstanceOf(IOException.class)
                .hasMessage(sentence.replace("{certificate}", certificate.toString())
                        .replace("{key}", key.toString()));
    }

    @ParameterizedTest
    @EnumSource(TlsProvider.class)
    void pemFilesOfBothAlgorithmsServeBothProviders(TlsProvider provider) throws Exception {
        for (Issued each : List.of(issued, rsa)) {
            ServerCertificate read = read(each.write(certificate, key));

            assertThat(read.subject())
                    .isEqualTo(
                            "'" + each.chain().get(0).getSubjectX500Principal().getName() + "'");
            assertThat(read.context(provider, null).getSupportedSSLParameters().getProtocols())
                    .contains("TLSv1.2", "TLSv1.3");
        }
    }

    @Test
    void bothMayBeInOneFileWithTextAround() throws Exception {
        Files.writeString(
                certificate, "Bag Attributes\n" + issued.keyPem() + "subject=/CN=ec\n" + issued.certificatePem());

        assertThat(read(new PemFiles(certificate, certificate)).subject()).isEqualTo("'CN=ec'");
    }

    @Test
    void certificateIsValidAsLongAsItsWholeChain() throws Exception {
        ServerCertificate read = read(new PemFiles(certificate, key));

        // keytool makes both for 90 days, the authority's first.
        assertThat(read.expiresAt())
                .isEqualTo(issued.chain().get(1).getNotAfter().toInstant())
                .isBetween(
                        Instant.now().plus(Duration.ofDays(89)), Instant.now().plus(Duration.ofDays(91)));
        assertThat(read.isValidAt(read.expiresAt())).isTrue();
        assertThat(read.isValidAt(read.expiresAt().plusSeconds(1))).isFalse();
        assertThat(read.isValidAt(read.beginsAt().minusSeconds(1))).isFalse();
    }

    @Test
    void encryptedKeyIsRefusedWithTheCommandThatConvertsIt() throws Exception {
        Files.writeString(key, pem("ENCRYPTED PRIVATE KEY", new byte[300]));

        assertRefused("The key in {key} is encrypted, and the gateway has no password for it. Convert it: "
                + "openssl pkcs8 -topk8 -nocrypt -in {key} -out NEW-KEY.pem; or use tls.key-store.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY"})
    void keyInAnOldFormIsRefusedWithTheCommandThatConvertsIt(String label) throws Exception {
        Files.writeString(key, pem("EC PARAMETERS", new byte[8]) + pem(label, new byte[300]));

        assertRefused("The key in {key} is in an old form (%s), not in PKCS#8. Convert it: ".formatted(label)
                + "openssl pkcs8 -topk8 -nocrypt -in {key} -out NEW-KEY.pem");
    }

    /** What begins and does not end took time with the square of the file's length. */
    @Test
    void beginningsWithoutAnEndAreSkipped() throws Exception {
        String begin = "-----BEGIN CERTIFICATE-----\n-----BEGIN X-----\n";
        String all = begin.repeat(20_000) + issued.certificatePem() + "-----END X-----\n" + issued.keyPem() + begin;
        Files.writeString(certificate, all);
        assertThat(PemBlock.all(certificate, Files.readAllBytes(certificate)))
                .extracting(PemBlock::label)
                .containsExactly("CERTIFICATE", "CERTIFICATE", "PRIVATE KEY");
        assertThat(read(new PemFiles(certificate, certificate)).subject()).isEqualTo("'CN=ec'");
    }

    @Test
    void fileWithoutKeyIsRefused() throws Exception {
        Files.writeString(key, issued.certificatePem());

        assertRefused(
                "There is no key in {key}: it must hold '-----BEGIN PRIVATE KEY-----' (PKCS#8). "
                        + "If it is a DER file, convert it: openssl pkcs8 -topk8 -nocrypt -inform der -in {key} -out NEW-KEY.pem");
    }

    @Test
    void fileWithoutCertificateIsRefused() throws Exception {
        Files.write(certificate, issued.chain().get(0).getEncoded());

        assertRefused(
                "There is no certificate in {certificate}: it must hold '-----BEGIN CERTIFICATE-----'. "
                        + "If it is a DER file, convert it: openssl x509 -inform der -in {certificate} -out NEW-CERTIFICATE.pem");
    }

    @Test
    void damagedFilesAreRefused() throws Exception {
        Files.writeString(key, pem("PRIVATE KEY", new byte[100]));
        assertRefused("The key in {key} is damaged, or neither of RSA nor of EC.");

        Files.writeString(key, "-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----\n");
        assertRefused("{key} is damaged: its PRIVATE KEY is not Base64.");

        Files.writeString(certificate, pem("CERTIFICATE", new byte[100]));
        issuedKey();
        assertThatThrownBy(() -> read(new PemFiles(certificate, key)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("A certificate in %s is damaged: ".formatted(certificate));
    }

    private void issuedKey() throws IOException {
        Files.writeString(key, issued.keyPem());
    }

    @Test
    void keyOfAnotherCertificateIsRefused() throws Exception {
        for (Issued other : List.of(rsa, authority.issue("other", "EC"))) {
            Files.writeString(key, other.keyPem());

            assertRefused(
                    "The certificate in {certificate} is of another key: certificate and key must be made together "
                            + "('CN=ec' is first in the file).");
        }
    }

    @Test
    void certificatesThatAreNotAChainAreRefused() throws Exception {
        Files.writeString(
                certificate,
                issued.certificatePem() + pem("CERTIFICATE", rsa.chain().get(0).getEncoded()));

        assertRefused(
                "The certificates in {certificate} are not a chain: after 'CN=authority' must come its signer, not 'CN=rsa'. "
                        + "Put this host's first.");
    }

    @Test
    void filesThatAreNotThereOrNoFilesAreRefused() throws Exception {
        Files.write(key, new byte[CertificateFiles.MAX_BYTES + 1]);
        assertRefused("{key} is too large for a certificate or a key.");

        Files.delete(key);
        assertRefused("There is no file {key}.");

        Files.createDirectory(key);
        assertRefused("{key} cannot be read: Is a directory");
    }

    @Test
    void keyStoreIsReadWithItsPassword() throws Exception {
        KeyStoreFile store = rsa.writeKeyStore(directory.resolve("store.p12"));

        assertThat(read(store).subject()).isEqualTo("'CN=rsa'");
        assertThatThrownBy(() -> read(new KeyStoreFile(store.file(), "wrong")))
                .isInstanceOf(IOException.class)
                .hasMessage("tls.key-store-password is not the password of %s.".formatted(store.file()));
    }

    @Test
    void keyStoreThatIsNoneOrHoldsSeveralKeysIsRefused() {
        assertThatThrownBy(() -> read(new KeyStoreFile(certificate, "x")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("%s is not a PKCS#12 key store, or is damaged: ".formatted(certificate));
        assertThatThrownBy(() -> read(new KeyStoreFile(authority.store(), TestCertificates.PASSWORD)))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("The key store %s must hold one key with its certificate; it holds ["
                        .formatted(authority.store()));
    }

    @Test
    void passwordIsNotShown() {
        assertThat(new KeyStoreFile(certificate, "secret").toString()).doesNotContain("secret");
    }

    @Test
    void certificateIsForTheHostsThatItNames() throws Exception {
        ServerCertificate read = read(new PemFiles(certificate, key));
        assertThat(read.hosts()).containsExactlyInAnyOrder("127.0.0.1", "localhost");
        assertThat(read.isFor("127.0.0.1")).isTrue();
        assertThat(read.isFor("LOCALHOST")).isTrue();
        assertThat(read.isFor("127.0.0.2")).isFalse();

        ServerCertificate any = read(
                authority.issue("any", "EC", "-ext", "san=dns:*.example.org").write(certificate, key));
        assertThat(any.isFor("gateway-1.example.org")).isTrue();
        assertThat(any.isFor("a.gateway-1.example.org")).isFalse();
        assertThat(any.isFor("example.org")).isFalse();
    }

    @Test
    void certificateIsAcceptedByThoseWhoTrustItsAuthorityOnly() throws Exception {
        ServerCertificate read = read(new PemFiles(certificate, key));
        TrustedCertificates own =
                new TrustedCertificates(Files.writeString(directory.resolve("own.pem"), authority.certificatePem()));
        TestCertificates stranger = new TestCertificates(directory, "stranger");
        TrustedCertificates other =
                new TrustedCertificates(Files.writeString(directory.resolve("other.pem"), stranger.certificatePem()));

        assertThat(read.whyRefusedBy(own.parse(Files.readAllBytes(own.file())))).isNull();
        assertThat(read.whyRefusedBy(other.parse(Files.readAllBytes(other.file()))))
                .contains("path");
    }
}
