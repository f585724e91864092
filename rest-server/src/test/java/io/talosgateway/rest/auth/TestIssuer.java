package io.talosgateway.rest.auth;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;

/** Issues tokens, and serves its public keys over HTTP on this machine. */
public final class TestIssuer implements AutoCloseable {

    public static final String ISSUER = "https://issuer.example.com/";
    public static final String AUDIENCE = "talos";

    private final AtomicInteger readings = new AtomicInteger();
    private final int port;
    /** Holds the port while nothing is served: nobody else gets it, and who connects is refused. */
    private final Socket holder = new Socket();

    private volatile List<JWK> keys;
    private @Nullable HttpServer server;

    /** Takes a port, and serves nothing before {@link #serve}. */
    public TestIssuer(JWK... keys) throws IOException {
        this.keys = List.of(keys);
        holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        port = holder.getLocalPort();
    }

    public TestIssuer serve() throws IOException {
        holder.close();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/keys", exchange -> {
            byte[] body = jwks().getBytes(StandardCharsets.UTF_8);
            // Before the answer, after which a test asks.
            readings.incrementAndGet();
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().set("Location", "/keys");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.start();
        this.server = server;
        return this;
    }

    /** Answers nobody any more. */
    public void stop() {
        HttpServer serving = server;
        if (serving != null) {
            serving.stop(0);
        }
    }

    /** Has other keys from now on. */
    public void rotate(JWK... newKeys) {
        keys = List.of(newKeys);
    }

    /** How often its keys were read. */
    public int readings() {
        return readings.get();
    }

    public String uri() {
        return "http://127.0.0.1:" + port + "/keys";
    }

    public String jwks() {
        return new JWKSet(keys).toString();
    }

    /** The settings of a gateway that accepts its tokens. */
    public Map<String, String> settings(String... more) {
        Map<String, String> settings = new HashMap<>(
                Map.of("auth.oidc.issuer", ISSUER, "auth.oidc.audience", AUDIENCE, "auth.oidc.jwks", uri()));
        for (int index = 0; index < more.length; index += 2) {
            settings.put(more[index], more[index + 1]);
        }
        return settings;
    }

    public static RSAKey rsa(String id) throws JOSEException {
        return new RSAKeyGenerator(2048).keyID(id).generate();
    }

    public static ECKey ec(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    /** Claims that are accepted at that time. */
    public static JWTClaimsSet.Builder claims(String subject, Instant now) {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(List.of("another", AUDIENCE))
                .subject(subject)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)));
    }

    /** The same now. */
    public static JWTClaimsSet.Builder claims(String subject) {
        return claims(subject, Instant.now());
    }

    public static String sign(JWSHeader header, JWK key, JWTClaimsSet.Builder claims) throws JOSEException {
        SignedJWT jwt = new SignedJWT(header, claims.build());
        jwt.sign(key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner(key.toECKey()));
        return jwt.serialize();
    }

    public static String sign(JWK key, JWTClaimsSet.Builder claims) throws JOSEException {
        JWSAlgorithm algorithm = key instanceof RSAKey ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
        return sign(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), key, claims);
    }

    @Override
    public void close() throws IOException {
        holder.close();
        stop();
    }
}
