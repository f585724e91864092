package io.talosgateway.rest.http.rest;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.TestIssuer;
import io.talosgateway.rest.bootstrap.TestGateway;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Bearer tokens of an issuer whose keys are served on this machine, over HTTP. */
final class BearerTokenIT {

    private static RSAKey rsa;
    private static ECKey ec;

    @TempDir
    Path directory;

    @BeforeAll
    static void generate() throws Exception {
        rsa = TestIssuer.rsa("rsa");
        ec = TestIssuer.ec("ec");
    }

    private static HttpRequest.Builder request(TestGateway gateway, String path, String... authorization) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(gateway.endpoint() + path));
        for (String each : authorization) {
            request.header("Authorization", each);
        }
        return request;
    }

    private static HttpResponse<String> get(TestGateway gateway, String path, String token) throws Exception {
        return gateway.send(request(gateway, path, "Bearer " + token).build());
    }

    private static HttpResponse<String> create(TestGateway gateway, String topic, String authorization)
            throws Exception {
        return gateway.send(request(gateway, "/v1/topics", authorization)
                .POST(BodyPublishers.ofString("{\"name\":\"" + topic + "\",\"partitions\":1}"))
                .build());
    }

    private static String challenge(HttpResponse<String> response) {
        return response.headers().firstValue("WWW-Authenticate").orElse("");
    }

    private static void assertStatus(HttpResponse<String> response, int status, String told) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        assertThat(response.body()).contains(told);
    }

    @Test
    void tokensAreIdentities() throws Exception {
        try (TestIssuer issuer = new TestIssuer(rsa, ec).serve();
                TestGateway gateway = TestGateway.start(
                        directory,
                        issuer.settings(
                                "auth.oidc.organization-claim", "org",
                                "auth.oidc.admin-claim", "groups",
                                "auth.oidc.admin-value", "talos-admins"))) {
            String alice = TestIssuer.sign(rsa, TestIssuer.claims("alice"));
            String mate = TestIssuer.sign(ec, TestIssuer.claims("mate").claim("org", "team"));
            String admin = TestIssuer.sign(ec, TestIssuer.claims("root").claim("groups", List.of("talos-admins")));

            assertStatus(create(gateway, "hers", "Bearer " + alice), 201, "\"owner\":\"oidc:alice\"");
            assertStatus(create(gateway, "theirs", "bearer " + mate), 201, "\"owner\":\"oidc-org:team\"");
            assertStatus(
                    gateway.send(request(gateway, "/v1/topics/hers/partitions/0/messages", "Bearer " + alice)
                            .header("Content-Type", "application/octet-stream")
                            .POST(BodyPublishers.ofString("x".repeat(200_000)))
                            .build()),
                    200,
                    "firstOffset");
            assertStatus(get(gateway, "/v1/topics/hers", mate), 404, "topic-not-found");
            assertStatus(get(gateway, "/v1/keys", alice), 403, "permission-denied");
            assertStatus(get(gateway, "/v1/keys", admin), 200, gateway.key().id());
            assertStatus(get(gateway, "/v1/topics/hers", admin), 200, "oidc:alice");

            // Nobody is somebody else by a name that the issuer gives.
            AccessKey key = gateway.addKey("alice", "team", false);
            assertStatus(create(gateway, "of-key", TestGateway.basic(key)), 201, "\"owner\":\"team\"");
            assertStatus(get(gateway, "/v1/topics/of-key", alice), 404, "topic-not-found");
            assertStatus(get(gateway, "/v1/topics/of-key", mate), 404, "topic-not-found");
            gateway.grant("of-key", "oidc:alice", "describe");
            assertStatus(get(gateway, "/v1/topics/of-key", alice), 200, "of-key");
        }
    }

    @Test
    void namesAreThoseOfKeysIfTheIssuerIsTrustedWithThem() throws Exception {
        try (TestIssuer issuer = new TestIssuer(ec).serve();
                TestGateway gateway = TestGateway.start(directory, issuer.settings("auth.oidc.trust-names", "true"))) {
            assertStatus(
                    create(gateway, "t", TestGateway.basic(gateway.addKey("alice", null, false))),
                    201,
                    "\"owner\":\"alice\"");
            assertStatus(get(gateway, "/v1/topics/t", TestIssuer.sign(ec, TestIssuer.claims("alice"))), 200, "alice");
            assertStatus(get(gateway, "/v1/topics/t", TestIssuer.sign(ec, TestIssuer.claims("bob"))), 404, "topic");
        }
    }

    @Test
    void invalidTokensAreRefusedWithTheReason() throws Exception {
        Instant now = Instant.now();
        String valid = TestIssuer.sign(ec, TestIssuer.claims("alice"));
        SignedJWT symmetric = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build(),
                TestIssuer.claims("alice").build());
        symmetric.sign(new MACSigner(rsa.toPublicKey().getEncoded()));
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put(
                TestIssuer.sign(rsa, TestIssuer.claims("alice").expirationTime(Date.from(now.minusSeconds(60)))),
                "The token expired at ");
        reasons.put(
                TestIssuer.sign(rsa, TestIssuer.claims("alice").notBeforeTime(Date.from(now.plusSeconds(3_600)))),
                "not valid before ");
        reasons.put(TestIssuer.sign(rsa, TestIssuer.claims("alice").issuer("https://other/")), "another issuer");
        reasons.put(TestIssuer.sign(rsa, TestIssuer.claims("alice").audience("other")), "another audience");
        reasons.put(
                TestIssuer.sign(
                        new JWSHeader.Builder(JWSAlgorithm.RS512).keyID("rsa").build(),
                        rsa,
                        TestIssuer.claims("alice")),
                "algorithms that are accepted: ES256, PS256, RS256.");
        reasons.put(TestIssuer.sign(TestIssuer.rsa("other"), TestIssuer.claims("alice")), "a key that its issuer");
        reasons.put(
                TestIssuer.sign(TestIssuer.ec("ec"), TestIssuer.claims("alice")), "signature of the token is wrong");
        reasons.put(new PlainJWT(TestIssuer.claims("alice").build()).serialize(), "not a signed JWT");
        reasons.put(symmetric.serialize(), "algorithms that are accepted");
        reasons.put("rubbish", "not a signed JWT");
        reasons.put("", "not a signed JWT");
        try (TestIssuer issuer = new TestIssuer(rsa, ec).serve();
                TestGateway gateway = TestGateway.start(directory, issuer.settings("ops.require-key", "true"))) {
            for (Map.Entry<String, String> each : reasons.entrySet()) {
                // Long after the last time, keys are read again for a key that is unknown.
                HttpResponse<String> refused = Await.value(
                        () -> get(gateway, "/v1/topics", each.getKey()), response -> response.statusCode() != 503);
                assertStatus(refused, 401, each.getValue());
                assertThat(refused.body()).contains("\"code\":\"unauthenticated\"");
                assertThat(challenge(refused)).isEqualTo("Bearer error=\"invalid_token\"");
                if (each.getKey().length() > 10) {
                    assertThat(refused.body())
                            .doesNotContain(
                                    each.getKey().substring(each.getKey().length() - 10));
                }
            }
            // Unless they are the reason for the refusal, tokens are asked for beside keys.
            HttpResponse<String> nobody = gateway.send(
                    request(gateway, "/v1/topics?access_token=" + valid).build());
            assertStatus(nobody, 401, "This needs a key");
            assertThat(challenge(nobody)).isEqualTo("Basic realm=\"talos\", Galaxy-V3, Bearer realm=\"talos\"");

            String basic = TestGateway.basic(gateway.key());
            for (String other : new String[] {basic, "Bearer " + valid}) {
                assertStatus(
                        gateway.send(request(gateway, "/v1/topics", "Bearer " + valid, other)
                                .build()),
                        401,
                        "more than one Authorization header");
            }
            // A header whose name only begins like it is another one.
            assertStatus(
                    gateway.send(request(gateway, "/v1/topics", "Bearer " + valid)
                            .header("Authorization-Note", basic)
                            .build()),
                    200,
                    "topics");
            assertStatus(
                    get(gateway, "/v1/topics", TestIssuer.sign(ec, TestIssuer.claims("a".repeat(9_000)))),
                    431,
                    "headers-too-large");
            assertStatus(get(gateway, "/v1/topics", valid), 200, "topics");
            assertThat(issuer.readings()).isLessThan(reasons.size());
        }
    }

    @Test
    void rotatedKeysAreSeenAndThoseOfBeforeEnd() throws Exception {
        ECKey next = TestIssuer.ec("next");
        String before = TestIssuer.sign(ec, TestIssuer.claims("alice"));
        String after = TestIssuer.sign(next, TestIssuer.claims("alice"));
        try (TestIssuer issuer = new TestIssuer(ec).serve();
                TestGateway gateway =
                        TestGateway.start(directory, issuer.settings("auth.oidc.refresh-interval", "50ms"))) {
            assertStatus(get(gateway, "/v1/topics", before), 200, "topics");
            issuer.rotate(next);

            HttpResponse<String> answer = get(gateway, "/v1/topics", after);
            while (answer.statusCode() != 200) {
                assertThat(answer.body()).containsAnyOf("token-keys-unavailable", "a key that its issuer");
                answer = get(gateway, "/v1/topics", after);
            }
            HttpResponse<String> old = get(gateway, "/v1/topics", before);
            while (old.statusCode() == 503) {
                old = get(gateway, "/v1/topics", before);
            }
            assertStatus(old, 401, "a key that its issuer does not have");
        }
    }

    @Test
    void gatewayStartsAndServesWhileNobodyAnswersForTheIssuer() throws Exception {
        String token = TestIssuer.sign(ec, TestIssuer.claims("alice"));
        try (TestIssuer issuer = new TestIssuer(ec);
                TestGateway gateway =
                        TestGateway.start(directory, issuer.settings("auth.oidc.refresh-interval", "50ms"))) {
            HttpResponse<String> refused = get(gateway, "/v1/topics", token);
            assertStatus(refused, 503, "\"code\":\"token-keys-unavailable\"");
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(gateway.ops("/metrics").body()).contains("talos_token_keys_age_seconds +Inf");
            // Keys do not need the issuer.
            assertStatus(gateway.send(gateway.request("/v1/topics").build()), 200, "topics");

            issuer.serve();
            HttpResponse<String> answer = get(gateway, "/v1/topics", token);
            while (answer.statusCode() == 503) {
                answer = get(gateway, "/v1/topics", token);
            }
            assertStatus(answer, 200, "topics");

            issuer.stop();
            String unknown = TestIssuer.sign(TestIssuer.ec("next"), TestIssuer.claims("alice"));
            int readings = issuer.readings();
            // It has tried again in vain.
            while (gateway.metric("talos_token_keys_age_seconds") < 0.2) {
                assertThat(issuer.readings()).isEqualTo(readings);
            }
            assertStatus(get(gateway, "/v1/topics", token), 200, "topics");
            assertThat(get(gateway, "/v1/topics", unknown).statusCode()).isIn(401, 503);
        }
    }

    @Test
    void keysCanBeInAFileAndTokensAreRefusedByDefault() throws Exception {
        String token = TestIssuer.sign(ec, TestIssuer.claims("alice"));
        try (TestIssuer issuer = new TestIssuer(ec)) {
            Path file = Files.writeString(directory.resolve("jwks.json"), issuer.jwks());
            try (TestGateway gateway = TestGateway.start(
                    directory.resolve("data"),
                    issuer.settings("auth.oidc.jwks", file.toUri().toString()))) {
                assertStatus(get(gateway, "/v1/topics", token), 200, "topics");
            }
        }
        try (TestGateway gateway = TestGateway.start(directory.resolve("data"))) {
            HttpResponse<String> refused = get(gateway, "/v1/topics", token);
            assertStatus(refused, 401, "This gateway accepts no bearer tokens");
            assertThat(challenge(refused)).isEqualTo("Basic realm=\"talos\", Galaxy-V3");
        }
    }

    @Test
    void administratorsTokenOpensTheOperationsPort() throws Exception {
        try (TestIssuer issuer = new TestIssuer(ec).serve();
                TestGateway gateway = TestGateway.start(
                        directory,
                        issuer.settings(
                                "ops.require-key", "true",
                                "auth.oidc.admin-claim", "groups",
                                "auth.oidc.admin-value", "talos-admins"))) {
            for (String group : new String[] {"talos-admins", "users"}) {
                String token =
                        TestIssuer.sign(ec, TestIssuer.claims("prometheus").claim("groups", group));
                assertThat(gateway.send(HttpRequest.newBuilder(
                                                URI.create("http://127.0.0.1:" + gateway.opsPort() + "/metrics"))
                                        .header("Authorization", "Bearer " + token)
                                        .build())
                                .statusCode())
                        .isEqualTo(group.equals("users") ? 403 : 200);
            }
        }
    }
}
