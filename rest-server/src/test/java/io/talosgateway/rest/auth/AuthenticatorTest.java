package io.talosgateway.rest.auth;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.auth.SignableRequest;
import io.talosgateway.wire.auth.SignedRequest;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AuthenticatorTest {

    private static final String SECRET = "exampleSecretKey0123456789";
    private static final AccessKey KEY = new AccessKey("AKEXAMPLEKEYID", SECRET, "alice", null, false, 0);
    private static final String SIGNATURE = "ekZFYvNkvMmkK6ywWIIn5MYTHbI=";

    private static Authenticator authenticator(long nowSeconds, boolean allowGuests) {
        return authenticator(KEY, new LastUse(), nowSeconds, allowGuests);
    }

    private static Authenticator authenticator(AccessKey key, LastUse lastUse, long nowSeconds, boolean allowGuests) {
        return new Authenticator(
                new AuthConfig(Path.of("unused"), Duration.ofMinutes(15), allowGuests, false, 100, null, null),
                id -> id.equals(key.id()) ? key : null,
                () -> CertificateKeys.NONE,
                null,
                lastUse,
                InstantSource.fixed(Instant.ofEpochSecond(nowSeconds)));
    }

    private static final Authenticator AUTHENTICATOR = authenticator(1_600_000_000, false);

    private static SignableRequest signed(String path, String query, String bodyHex) {
        return new SignableRequest(
                "POST", path, query, new ByteSlice(HexFormat.of().parseHex(bodyHex)));
    }

    private static SignableRequest request(String authorization, String md5) {
        return signed("/v1/api/topic", null, "8221010f6765744465736372696265496e666f1c180974657374546f7069630000")
                .with("Content-Type", "application/x-thrift-compact")
                .with("X-Xiaomi-Timestamp", "1600000000")
                .with("x-xiaomi-date", "Sun, 13 Sep 2020 12:26:40 GMT")
                .with("X-Xiaomi-Content-MD5", md5)
                .with("Authorization", authorization);
    }

    private static SignableRequest request(String authorization) {
        return request(authorization, "dcd5cecdaf8087dacd406855d72c08ec");
    }

    private static Principal authenticate(Authenticator authenticator, SignedRequest request) {
        Authenticator.Caller caller = authenticator.identify(request, null);
        caller.check(request.body());
        return caller.principal();
    }

    private static void assertRefused(Authenticator authenticator, SignedRequest request, ErrorCode code) {
        assertThatThrownBy(() -> authenticate(authenticator, request))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Galaxy-V3", "Galaxy-V2", "OAuth", "galaxy-v3", "OAUTH"})
    void signedRequestIsOfTheKeysOwner(String scheme) {
        assertThat(authenticate(AUTHENTICATOR, request(scheme + " AKEXAMPLEKEYID:" + SIGNATURE)))
                .isEqualTo(new Principal("alice", null, false, false, KeyScope.ALL));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Galaxy-V3 AKEXAMPLEKEYID:fkZFYvNkvMmkK6ywWIIn5MYTHbI=",
                "Galaxy-V3 AKEXAMPLEKEYID:",
                "Galaxy-V3 AKEXAMPLEKEYID",
                "Galaxy-V3 :" + SIGNATURE,
                "Galaxy-V3 NOSUCHKEY:" + SIGNATURE,
                "Galaxy-V3",
                "SSO galaxytalos:secret:id",
                "Bearer token",
                "Basic ???",
                "Basic "
            })
    void otherCredentialsAreRefused(String authorization) {
        assertRefused(AUTHENTICATOR, request(authorization), ErrorCode.UNAUTHENTICATED);
    }

    /** A connection that remembers its last request takes nothing for granted: neither who asks nor that the secret is still right. */
    @Test
    void connectionThatRemembersAsksAgain() {
        AtomicReference<AccessKey> key = new AtomicReference<>(KEY);
        Authenticator authenticator = new Authenticator(
                new AuthConfig(Path.of("unused"), Duration.ofMinutes(15), false, false, 100, null, null),
                id -> id.equals(KEY.id()) ? key.get() : null,
                () -> CertificateKeys.NONE,
                null,
                new LastUse(),
                InstantSource.fixed(Instant.EPOCH));
        OneConnection connection = new OneConnection();

        assertThat(connection.identify(authenticator, SECRET)).isEqualTo("alice");
        assertThat(connection.identify(authenticator, "another")).isEqualTo("unauthenticated");
        assertThat(connection.identify(authenticator, SECRET)).isEqualTo("alice");
        assertThat(connection.decoded)
                .as("each of the three was another header than the last")
                .isEqualTo(3);
        assertThat(connection.identify(authenticator, SECRET)).isEqualTo("alice");
        assertThat(connection.identify(authenticator, "x".repeat(1000))).isEqualTo("unauthenticated");
        assertThat(connection.decoded)
                .as("neither the same again nor a long one is kept")
                .isEqualTo(3);
        key.set(new AccessKey(KEY.id(), "replaced", "alice", null, false, 0));
        assertThat(connection.identify(authenticator, SECRET)).isEqualTo("unauthenticated");
    }

    private static final class OneConnection implements BasicCredentials.Memory {

        private @Nullable BasicCredentials last;
        private int decoded;

        String identify(Authenticator authenticator, String secret) {
            String credentials =
                    Base64.getEncoder().encodeToString((KEY.id() + ":" + secret).getBytes(StandardCharsets.UTF_8));
            try {
                return authenticator
                        .identify(request("Basic " + credentials), null, this)
                        .principal()
                        .id();
            } catch (GatewayException e) {
                return e.code().text();
            }
        }

        @Override
        public @Nullable BasicCredentials last() {
            return last;
        }

        @Override
        public void keep(BasicCredentials credentials) {
            decoded++;
            last = credentials;
        }
    }

    @Test
    void keyIsNamedForTheAuditLogAndNoPartOfAToken() {
        assertThat(Authenticator.claimedKey("Galaxy-V3 AKEXAMPLEKEYID:x")).isEqualTo("AKEXAMPLEKEYID");
        assertThat(Authenticator.claimedKey("Bearer secret:secret")).isNull();
        assertThat(Authenticator.claimedKey("bearer  secret:secret")).isNull();
    }

    @Test
    void changedBodyIsRefused() {
        // The signature is right, for a digest that is not that of the body.
        SignableRequest request = request("", "ecd5cecdaf8087dacd406855d72c08ec");
        String signature = GalaxySignature.sign(SECRET, request);

        assertRefused(
                AUTHENTICATOR,
                request("Galaxy-V3 AKEXAMPLEKEYID:" + signature, "ecd5cecdaf8087dacd406855d72c08ec"),
                ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void requestWithoutDigestIsRefused() {
        SignableRequest request = signed("/v1/api/topic", null, "00").with("X-Xiaomi-Timestamp", "1600000000");
        request.with("Authorization", "Galaxy-V3 AKEXAMPLEKEYID:" + GalaxySignature.sign(SECRET, request));

        assertRefused(AUTHENTICATOR, request, ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void rightSignatureOfAnotherTimeIsRefusedAsSuch() {
        SignableRequest request = request("Galaxy-V3 AKEXAMPLEKEYID:" + SIGNATURE);

        assertThat(authenticate(authenticator(1_600_000_900, false), request)).isNotNull();
        assertThat(authenticate(authenticator(1_599_999_100, false), request)).isNotNull();
        assertRefused(authenticator(1_600_000_901, false), request, ErrorCode.CLOCK_SKEWED);
        assertRefused(authenticator(1_599_999_099, false), request, ErrorCode.CLOCK_SKEWED);
    }

    @Test
    void wrongSignatureOfAnotherTimeTellsNothingOfTheClock() {
        assertRefused(
                authenticator(1_700_000_000, false), request("Galaxy-V3 AKEXAMPLEKEYID:x"), ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void missingTimestampIsRefused() {
        SignableRequest request =
                signed("/v1/api/topic", null, "00").with("X-Xiaomi-Content-MD5", "93b885adfe0da089cdf634904fd59f71");
        request.with("Authorization", "Galaxy-V3 AKEXAMPLEKEYID:" + GalaxySignature.sign(SECRET, request));

        assertRefused(AUTHENTICATOR, request, ErrorCode.UNAUTHENTICATED);
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void basicCredentialsAreKeyAndSecret() {
        assertThat(authenticate(AUTHENTICATOR, request(basic("AKEXAMPLEKEYID:" + SECRET))))
                .isEqualTo(new Principal("alice", null, false, false, KeyScope.ALL));
        assertRefused(AUTHENTICATOR, request(basic("AKEXAMPLEKEYID:wrong")), ErrorCode.UNAUTHENTICATED);
        assertRefused(AUTHENTICATOR, request(basic("AKEXAMPLEKEYID")), ErrorCode.UNAUTHENTICATED);
        assertRefused(AUTHENTICATOR, request(basic("unknown:unknown")), ErrorCode.UNAUTHENTICATED);
        assertRefused(AUTHENTICATOR, request(basic("unknown:")), ErrorCode.UNAUTHENTICATED);
    }

    @Test
    void schemeIsKnownByItsWholeName() {
        String right = basic("AKEXAMPLEKEYID:" + SECRET);
        assertThat(authenticate(AUTHENTICATOR, request(right.replace("Basic", "bASIC")))
                        .id())
                .isEqualTo("alice");
        for (String scheme : new String[] {"Bas", "Basics", "B", ""}) {
            assertRefused(AUTHENTICATOR, request(right.replace("Basic", scheme)), ErrorCode.UNAUTHENTICATED);
        }
    }

    @Test
    void whoeverHasNoCredentialsIsAGuest() {
        SignableRequest without = signed("/v1/api/topic", null, "00");

        assertThat(authenticate(AUTHENTICATOR, without)).isEqualTo(Principal.GUEST);
        assertThat(authenticate(AUTHENTICATOR, request("Guest AKEXAMPLEKEYID"))).isEqualTo(Principal.GUEST);
        assertThat(Principal.GUEST.admin()).isFalse();
        assertThat(authenticate(authenticator(0, true), without))
                .isEqualTo(new Principal("guest", null, true, true, KeyScope.ALL));
    }

    private static final long NOW_SECONDS = 1_600_000_000;

    private static Authenticator at(AccessKey key, long nowSeconds) {
        return authenticator(key, new LastUse(), nowSeconds, false);
    }

    /** With the secret, signed and in plain. */
    private static List<SignedRequest> requestsWith(String secret) {
        SignableRequest unsigned = request("");
        return List.of(
                request("Galaxy-V3 AKEXAMPLEKEYID:" + GalaxySignature.sign(secret, unsigned)),
                request(basic("AKEXAMPLEKEYID:" + secret)));
    }

    private static void assertRefusedBecause(AccessKey key, String secret, long nowSeconds, String reason) {
        for (SignedRequest request : requestsWith(secret)) {
            assertThatThrownBy(() -> at(key, nowSeconds).identify(request, null))
                    .isInstanceOfSatisfying(GatewayException.class, refusal -> {
                        assertThat(refusal.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
                        assertThat(refusal.detail()).contains(reason);
                    });
        }
    }

    private static void assertTaken(AccessKey key, String secret, long nowSeconds) {
        for (SignedRequest request : requestsWith(secret)) {
            assertThat(authenticate(at(key, nowSeconds), request).id()).isEqualTo("alice");
        }
    }

    @Test
    void disabledKeyIsRefusedWithTheReasonOnlyWhereTheSecretIsRight() {
        AccessKey disabled = KEY.with(KeySettings.DEFAULT.withDisabled(true));

        assertRefusedBecause(disabled, SECRET, NOW_SECONDS, "The key AKEXAMPLEKEYID is disabled.");
        assertRefusedBecause(disabled, "wrong", NOW_SECONDS, "is unknown or");
        assertTaken(KEY, SECRET, NOW_SECONDS);
    }

    @Test
    void keyIsRefusedFromItsExpiryOn() {
        AccessKey expiring = KEY.with(KeySettings.DEFAULT.withExpiry(NOW_SECONDS * 1000));

        assertTaken(expiring, SECRET, NOW_SECONDS - 1);
        assertRefusedBecause(expiring, SECRET, NOW_SECONDS, "expired at 2020-09-13T12:26:40Z");
        assertRefusedBecause(expiring, "wrong", NOW_SECONDS, "is unknown or");
    }

    @Test
    void bothSecretsOfARotatedKeyAreTakenUntilTheOldOneEnds() {
        AccessKey rotated = KEY.rotated("the new secret", NOW_SECONDS * 1000);

        assertTaken(rotated, "the new secret", NOW_SECONDS - 1);
        assertTaken(rotated, SECRET, NOW_SECONDS - 1);
        assertTaken(rotated, "the new secret", NOW_SECONDS);
        assertRefusedBecause(rotated, SECRET, NOW_SECONDS, "was replaced, and was valid until 2020-09-13T12:26:40Z");
        assertRefusedBecause(rotated, "unknown", NOW_SECONDS - 1, "is unknown or");
        assertRefusedBecause(KEY, "unknown", NOW_SECONDS, "is unknown or");
    }

    @Test
    void callerHasTheScopeOfItsKey() {
        KeyScope scope = KeyScope.of(List.of("get", "describe"), List.of("orders-*"));
        AccessKey reader = KEY.with(new KeySettings(scope, false, null, null));

        assertThat(authenticate(at(reader, NOW_SECONDS), request(basic("AKEXAMPLEKEYID:" + SECRET)))
                        .scope())
                .isEqualTo(scope);
    }

    @Test
    void onlyAUseThatSucceedsIsNotedToTheMinute() {
        LastUse lastUse = new LastUse();
        Authenticator authenticator = authenticator(KEY, lastUse, NOW_SECONDS, false);

        assertRefused(authenticator, request(basic("AKEXAMPLEKEYID:wrong")), ErrorCode.UNAUTHENTICATED);
        assertThat(lastUse.of(KEY.id())).isNull();
        authenticate(authenticator, request(basic("AKEXAMPLEKEYID:" + SECRET)));
        assertThat(lastUse.of(KEY.id())).isEqualTo(NOW_SECONDS * 1000 - 40_000);
        assertThat(lastUse.of("NOSUCHKEY")).isNull();
    }
}
