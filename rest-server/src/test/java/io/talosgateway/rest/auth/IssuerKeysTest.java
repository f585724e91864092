package io.talosgateway.rest.auth;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** When the keys of an issuer are read, and which. */
final class IssuerKeysTest {

    private static final Duration INTERVAL = Duration.ofMinutes(5);

    private static ECKey first;
    private static ECKey second;

    private final Deque<Runnable> background = new ArrayDeque<>();
    private Instant now = Instant.ofEpochSecond(1_600_000_000);
    private String document;
    private int readings;

    private final IssuerKeys keys = new IssuerKeys(
            () -> {
                readings++;
                if (document == null) {
                    throw new IOException("nobody answers");
                }
                return document;
            },
            INTERVAL,
            () -> now,
            background::add);

    @BeforeAll
    static void generate() throws Exception {
        first = TestIssuer.ec("first");
        second = TestIssuer.ec("second");
    }

    private static String document(JWK... keys) {
        return new JWKSet(java.util.List.of(keys)).toString(false);
    }

    private static JWSHeader header(String id) {
        return new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(id).build();
    }

    private int found(String id) {
        return keys.find(header(id)).size();
    }

    private void assertUnavailable(String id, String reason) {
        assertThatThrownBy(() -> found(id)).isInstanceOfSatisfying(GatewayException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.TOKEN_KEYS_UNAVAILABLE);
            assertThat(refusal.detail()).contains(reason);
        });
    }

    private void runBackground() {
        background.remove().run();
        assertThat(background).isEmpty();
    }

    @Test
    void keysAreReadFromTimeToTime() {
        document = document(first);
        keys.readIfDue();
        assertThat(found("first")).isEqualTo(1);
        assertThat(keys.ageMs()).isZero();

        now = now.plus(INTERVAL).minusMillis(1);
        keys.readIfDue();
        assertThat(readings).isEqualTo(1);
        assertThat(keys.ageMs()).isEqualTo(INTERVAL.toMillis() - 1);
        now = now.plusMillis(1);
        document = document(second);
        keys.readIfDue();

        assertThat(readings).isEqualTo(2);
        assertThat(found("second")).isEqualTo(1);
        assertThat(found("first")).isZero();
    }

    @Test
    void unknownKeyHasThemReadOnceInTenSeconds() {
        document = document(first);
        keys.readIfDue();
        assertThat(found("second")).isZero();

        now = now.plusSeconds(10);
        document = document(first, second);
        assertUnavailable("second", "are being read");
        assertUnavailable("second", "are being read");
        assertThat(found("first")).isEqualTo(1);
        assertThat(readings).isEqualTo(1);
        runBackground();
        assertThat(found("second")).isEqualTo(1);

        for (int index = 0; index < 100; index++) {
            assertThat(found("third" + index)).isZero();
        }
        now = now.plusMillis(9_999);
        assertThat(found("third")).isZero();
        assertThat(background).isEmpty();
        now = now.plusMillis(1);
        assertUnavailable("third", "are being read");
        runBackground();
        assertThat(readings).isEqualTo(3);
    }

    @Test
    void failureIsTriedAgainSoonAndKeepsWhatIsKnown() {
        keys.readIfDue();
        assertThat(keys.ageMs()).isNull();
        assertUnavailable("first", "could not be read yet");
        now = now.plusMillis(9_999);
        keys.readIfDue();
        assertThat(readings).isEqualTo(1);
        now = now.plusMillis(1);
        document = document(first);
        keys.readIfDue();
        assertThat(found("first")).isEqualTo(1);

        for (String broken : new String[] {null, "", "{}", "<html>", "{\"keys\":[]}", "{\"keys\":[{}]}"}) {
            document = broken;
            now = now.plus(INTERVAL);
            keys.readIfDue();
            assertThat(found("first")).as(broken).isEqualTo(1);
        }
        assertThat(readings).isEqualTo(8);
        assertThat(keys.ageMs()).isEqualTo(6 * INTERVAL.toMillis());
    }

    @Test
    void clockThatIsSetBackStopsNoReading() {
        document = document(first);
        keys.readIfDue();
        now = now.minus(Duration.ofDays(1));
        document = document(second);
        keys.readIfDue();
        assertThat(found("second")).isEqualTo(1);

        now = now.minus(Duration.ofDays(1));
        document = document(first);
        assertUnavailable("first", "are being read");
        runBackground();
        assertThat(found("first")).isEqualTo(1);
    }

    @Test
    void secretsAndWeakKeysAreNotTaken() throws Exception {
        document = new JWKSet(java.util.List.of(
                        new OctetSequenceKeyGenerator(256).keyID("secret").generate(),
                        new RSAKeyGenerator(1024, true).keyID("weak").generate(),
                        first))
                .toString(false);
        keys.readIfDue();

        assertThat(found("first")).isEqualTo(1);
        for (String id : new String[] {"secret", "weak"}) {
            for (JWSAlgorithm algorithm : new JWSAlgorithm[] {JWSAlgorithm.HS256, JWSAlgorithm.RS256}) {
                assertThat(keys.find(new JWSHeader.Builder(algorithm).keyID(id).build()))
                        .isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/keys,1", "/moved,0", "/none,0"})
    void theyAreReadOverHttpFromWhereTheyAreSaidToBe(String path, int expected) throws Exception {
        try (TestIssuer issuer = new TestIssuer(first).serve()) {
            IssuerKeys read = new IssuerKeys(config(issuer.uri().replace("/keys", path)), () -> now, background::add);
            read.readIfDue();

            assertThat(read.ageMs() == null ? 0 : 1).isEqualTo(expected);
            assertThat(issuer.readings()).isEqualTo(expected);
        }
    }

    private static TokenConfig config(String keys) {
        return new TokenConfig("i", "a", URI.create(keys), Set.of("ES256"), "sub", null, null, false, INTERVAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://issuer.example.com/keys",
                "http://127.0.0.1:1/keys",
                "http://localhost/keys",
                "http://[::1]:1/keys",
                "file:///etc/keys.json"
            })
    void keysComeFromPlacesThatCannotBeForged(String uri) {
        assertThat(config(uri).keys()).isEqualTo(URI.create(uri));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://issuer.example.com/keys",
                "http://127.0.0.1.example.com/keys",
                "http://10.0.0.1/keys",
                "ftp://127.0.0.1/keys",
                "https:keys",
                "keys.json",
                "file:keys.json"
            })
    void othersAreRefused(String uri) {
        assertThatThrownBy(() -> config(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("auth.oidc.jwks must be an https address");
    }
}
