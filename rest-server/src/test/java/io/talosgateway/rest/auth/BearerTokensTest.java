package io.talosgateway.rest.auth;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Set;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.talosgateway.rest.auth.TokenConfig.AdminClaim;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Which tokens are valid, and whom they stand for. */
final class BearerTokensTest {

    private static final Instant NOW = Instant.ofEpochSecond(1_600_000_000);

    private static RSAKey rsa;
    private static ECKey ec;

    private final BearerTokens tokens = tokens("org", new AdminClaim("groups", "talos-admins"), false);

    @BeforeAll
    static void generate() throws Exception {
        rsa = TestIssuer.rsa("rsa");
        ec = TestIssuer.ec("ec");
    }

    private static BearerTokens tokens(@Nullable String organization, @Nullable AdminClaim admin, boolean trustNames) {
        IssuerKeys keys = new IssuerKeys(
                () -> new JWKSet(List.of((JWK) rsa, ec)).toString(), Duration.ofDays(1), () -> NOW, task -> {
                    throw new AssertionError("read again");
                });
        keys.readIfDue();
        return new BearerTokens(
                new TokenConfig(
                        TestIssuer.ISSUER,
                        TestIssuer.AUDIENCE,
                        URI.create("https://unused/"),
                        Set.of("RS256", "ES256"),
                        "sub",
                        organization,
                        admin,
                        trustNames,
                        Duration.ofMinutes(5)),
                keys,
                () -> NOW);
    }

    private static JWTClaimsSet.Builder claims() {
        return TestIssuer.claims("alice", NOW);
    }

    private static JWSHeader.Builder header(JWSAlgorithm algorithm, String id) {
        return new JWSHeader.Builder(algorithm).keyID(id);
    }

    private Principal identify(JWTClaimsSet.Builder claims) throws JOSEException {
        return tokens.identify(TestIssuer.sign(ec, claims));
    }

    private void assertRefused(String token, String reason) {
        assertThatThrownBy(() -> tokens.identify(token)).isInstanceOfSatisfying(GatewayException.class, refusal -> {
            assertThat(refusal.code()).as(refusal.detail()).isEqualTo(ErrorCode.UNAUTHENTICATED);
            assertThat(refusal.detail()).contains(reason);
        });
    }

    private void assertRefused(JWTClaimsSet.Builder claims, String reason) throws JOSEException {
        assertRefused(TestIssuer.sign(rsa, claims), reason);
    }

    private static Date at(long secondsFromNow) {
        return Date.from(NOW.plusSeconds(secondsFromNow));
    }

    private static Principal principal(String id, @Nullable String organization, boolean admin) {
        return new Principal(id, organization, admin, false, KeyScope.ALL);
    }

    @Test
    void tokenIsOfThePrincipalThatItNames() throws Exception {
        for (JWK key : new JWK[] {rsa, ec}) {
            assertThat(tokens.identify(TestIssuer.sign(key, claims()))).isEqualTo(principal("oidc:alice", null, false));
        }
        assertThat(identify(claims().claim("org", "team"))).isEqualTo(principal("oidc:alice", "oidc-org:team", false));
        assertThat(tokens("org", null, true).identify(TestIssuer.sign(ec, claims().claim("org", "team"))))
                .isEqualTo(principal("alice", "team", false));
        assertThat(tokens(null, null, false).identify(TestIssuer.sign(ec, claims().claim("org", "team"))))
                .isEqualTo(principal("oidc:alice", null, false));
        for (String type : new String[] {"JWT", "at+jwt", "AT+JWT"}) {
            assertThat(tokens.identify(TestIssuer.sign(
                            header(JWSAlgorithm.ES256, "ec")
                                    .type(new JOSEObjectType(type))
                                    .build(),
                            ec,
                            claims())))
                    .isEqualTo(principal("oidc:alice", null, false));
        }
        // Without an id of a key, one of the issuer's that fits.
        assertThat(tokens.identify(TestIssuer.sign(new JWSHeader.Builder(JWSAlgorithm.ES256).build(), ec, claims())))
                .isEqualTo(principal("oidc:alice", null, false));
    }

    /** A user of the issuer cannot choose a name by which he is an owner of keys, or an organization. */
    @Test
    void namesDoNotMeetThoseOfKeysOrOrganizations() throws Exception {
        assertThat(identify(claims().subject("oidc-org:team")).id()).isEqualTo("oidc:oidc-org:team");
        assertThat(identify(claims().subject("org:team")).isOrBelongsTo("oidc-org:team"))
                .isFalse();
        assertThat(identify(claims().claim("org", "alice")).isOrBelongsTo("alice"))
                .isFalse();
        assertThat(identify(claims().claim("org", ":bob")).isOrBelongsTo("oidc:bob"))
                .isFalse();
    }

    @Test
    void administratorsHaveTheValueInTheClaim() throws Exception {
        assertThat(identify(claims().claim("groups", "talos-admins")).admin()).isTrue();
        assertThat(identify(claims().claim("groups", List.of("users", "talos-admins")))
                        .admin())
                .isTrue();
        for (Object other : new Object[] {"talos-admins-not", "users talos-admins", List.of("talos"), true, 1}) {
            assertThat(identify(claims().claim("groups", other)).admin())
                    .as("%s", other)
                    .isFalse();
        }
        assertThat(identify(claims().claim("admin", true).claim("role", "talos-admins"))
                        .admin())
                .isFalse();
        assertThat(tokens(null, null, false)
                        .identify(TestIssuer.sign(ec, claims().claim("groups", "talos-admins")))
                        .admin())
                .isFalse();
    }

    @Test
    void clocksMayDifferALittle() throws Exception {
        assertThat(identify(claims().expirationTime(at(-29)).notBeforeTime(at(30)))
                        .id())
                .isEqualTo("oidc:alice");
        assertRefused(claims().expirationTime(at(-30)), "The token expired at " + NOW.minusSeconds(30));
        assertRefused(claims().notBeforeTime(at(31)), "not valid before " + NOW.plusSeconds(31));
    }

    @Test
    void tokensWithOtherClaimsAreRefused() throws Exception {
        assertRefused(claims().expirationTime(null), "has no end (claim 'exp')");
        assertRefused(claims().issuer("https://issuer.example.com"), "another issuer");
        assertRefused(claims().issuer(null), "another issuer");
        assertRefused(claims().audience("another"), "another audience");
        assertRefused(claims().audience((String) null), "another audience");
        assertRefused(claims().subject(null), "has no claim 'sub'");
        assertRefused(claims().subject(" "), "The claim 'sub' of the token must have 1 to 123 characters");
        assertRefused(claims().subject("a\nb"), "The claim 'sub'");
        assertRefused(claims().subject("a".repeat(124)), "The claim 'sub'");
        assertThat(identify(claims().subject("a".repeat(123))).id()).hasSize(128);
        assertRefused(claims().claim("org", ""), "The claim 'org'");
        assertRefused(claims().claim("org", List.of("team")), "not of the type");
        assertRefused(claims().claim("sub", List.of("alice")), "not of the type");
        assertRefused(claims().claim("exp", "tomorrow"), "not of the type");
    }

    @Test
    void tokensThatOthersCouldMakeAreRefused() throws Exception {
        assertRefused(new PlainJWT(claims().build()).serialize(), "not a signed JWT");
        String none = base64("{\"alg\":\"none\",\"kid\":\"ec\"}") + "."
                + base64(claims().build().toString()) + ".";
        assertRefused(none, "not a signed JWT");

        for (byte[] secret : new byte[][] {
            rsa.toPublicKey().getEncoded(), rsa.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)
        }) {
            SignedJWT symmetric =
                    new SignedJWT(header(JWSAlgorithm.HS256, "rsa").build(), claims().build());
            symmetric.sign(new MACSigner(secret));
            assertRefused(symmetric.serialize(), "algorithms that are accepted: ES256, RS256.");
        }
        assertRefused(
                TestIssuer.sign(header(JWSAlgorithm.PS256, "rsa").build(), rsa, claims()),
                "algorithms that are accepted: ES256, RS256.");

        assertRefused(TestIssuer.sign(TestIssuer.ec("ec"), claims()), "The signature of the token is wrong.");
        assertRefused(TestIssuer.sign(TestIssuer.rsa("other"), claims()), "a key that its issuer does not have");
        assertRefused(
                TestIssuer.sign(header(JWSAlgorithm.RS256, "ec").build(), rsa, claims()),
                "a key that its issuer does not have");
        // A key that comes with the token, or is said to be elsewhere.
        ECKey own = TestIssuer.ec("ec");
        assertRefused(
                TestIssuer.sign(
                        header(JWSAlgorithm.ES256, "ec")
                                .jwk(own.toPublicJWK())
                                .jwkURL(URI.create("http://127.0.0.1:1/keys"))
                                .build(),
                        own,
                        claims()),
                "The signature of the token is wrong.");
        assertRefused(
                TestIssuer.sign(
                        header(JWSAlgorithm.ES256, "ec")
                                .criticalParams(Set.of("must-know"))
                                .customParam("must-know", 1)
                                .build(),
                        ec,
                        claims()),
                "The signature of the token is wrong.");
        assertRefused(
                TestIssuer.sign(
                        header(JWSAlgorithm.ES256, "ec")
                                .type(new JOSEObjectType("logout+jwt"))
                                .build(),
                        ec,
                        claims()),
                "another type");
        // The right signature for other claims.
        Base64URL[] good = SignedJWT.parse(TestIssuer.sign(ec, claims())).getParsedParts();
        Base64URL[] other = SignedJWT.parse(TestIssuer.sign(ec, claims().claim("groups", "talos-admins")))
                .getParsedParts();
        assertRefused(good[0] + "." + other[1] + "." + good[2], "The signature of the token is wrong.");
        assertRefused(good[0] + "." + good[1] + "." + "A".repeat(86), "The signature of the token is wrong.");
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void whatIsNoTokenIsRefusedWithoutAnythingElse() throws Exception {
        for (String text : new String[] {"", ".", "..", "a.b.c", "....", "{}.{}.{}", "ü.ü.ü"}) {
            assertRefused(text, "not a signed JWT");
        }
        String nested = "{\"alg\":\"ES256\",\"x\":" + "[".repeat(3_000) + "]".repeat(3_000) + "}";
        assertRefused(base64(nested) + ".e30.AA", "");
        long seed = 20_261_122;
        Random random = new Random(seed);
        byte[] good = TestIssuer.sign(ec, claims()).getBytes(StandardCharsets.US_ASCII);
        for (int round = 0; round < 1_000; round++) {
            byte[] changed = good.clone();
            for (int change = random.nextInt(3); change >= 0; change--) {
                changed[random.nextInt(changed.length)] = (byte) (' ' + random.nextInt(95));
            }
            String token = new String(changed, StandardCharsets.US_ASCII);
            Throwable refusal = catchThrowable(() -> tokens.identify(token));
            if (refusal == null) {
                // Base64 can say the same in several ways.
                assertThat(SignedJWT.parse(token).getSignature().decode())
                        .as("seed %d, round %d, %s", seed, round, token)
                        .isEqualTo(SignedJWT.parse(new String(good, StandardCharsets.US_ASCII))
                                .getSignature()
                                .decode());
            } else {
                assertThat(refusal)
                        .as("seed %d, round %d, %s", seed, round, token)
                        .isInstanceOf(GatewayException.class);
            }
        }
    }
}
