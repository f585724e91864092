package io.talosgateway.rest.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.talosgateway.rest.auth.AccessKey.ReplacedSecret;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.auth.SignedRequest;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who is asking, in two steps: from the headers, before a byte of the body is stored; and then from the body, which
 * is digested. Safe for use by any thread.
 */
public final class Authenticator {

    private static final int MAX_CLAIMED = 64;
    private static final Pattern SECONDS = Pattern.compile("\\d{1,12}");

    private static final String SCHEMES = "Galaxy-V3, Galaxy-V2, OAuth or Basic";
    private static final String BEARER = "bearer";
    /** Keys have no colon in their ids. */
    private static final String TOKENS = "token:";

    private final AuthConfig config;
    private final KeyStore keys;
    private final Supplier<CertificateKeys> certificateKeys;
    private final @Nullable BearerTokens tokens;
    private final LastUse lastUse;
    private final InstantSource clock;
    private final ReplayGuard replays;

    /**
     * @param certificateKeys which keys certificates stand for, at each moment
     * @param tokens null if none are accepted
     * @param lastUse is told of keys that are used
     */
    public Authenticator(
            AuthConfig config,
            KeyStore keys,
            Supplier<CertificateKeys> certificateKeys,
            @Nullable BearerTokens tokens,
            LastUse lastUse,
            InstantSource clock) {
        this.config = config;
        this.keys = keys;
        this.certificateKeys = certificateKeys;
        this.tokens = tokens;
        this.lastUse = lastUse;
        this.clock = clock;
        this.replays = new ReplayGuard(config.clockTolerance(), config.maxRemembered(), clock);
    }

    /**
     * Who asks, as far as the headers and the certificate say.
     *
     * @param keyId the key, or {@code token:} and the principal of a token; null if there is neither
     * @param digest of the body that was signed; null if the body is not signed
     * @param signature null if the request is not signed
     */
    public record Caller(
            Principal principal,
            @Nullable String keyId,
            @Nullable String digest,
            @Nullable Signature signature) {

        /** A caller that did not sign. */
        public Caller(Principal principal, @Nullable String keyId, @Nullable String digest) {
            this(principal, keyId, digest, null);
        }

        /**
         * Checks the body.
         *
         * @throws GatewayException {@code UNAUTHENTICATED} if it is not the one that was signed
         */
        public void check(ByteSlice body) {
            if (digest != null && !GalaxySignature.isDigestOf(digest, body)) {
                throw refused("The header " + GalaxySignature.DIGEST_HEADER + " is not the MD5 of the body.");
            }
        }
    }

    /**
     * A right signature.
     *
     * @param second its timestamp
     * @param hasNonce whether the client says that no other request of the key has it
     * @param coversQuery whether the query is signed, too
     */
    public record Signature(String text, long second, boolean hasNonce, boolean coversQuery) {}

    /**
     * Accepts a change if it was not accepted before. To be called once the body is checked.
     *
     * @param always whether also without a nonce, whatever is configured
     * @return to be run if the change is not made: then it may be accepted again
     * @throws GatewayException {@code REPLAYED} or {@code CLOCK_SKEWED}
     */
    public Runnable accept(Caller caller, boolean always) {
        Signature signature = caller.signature;
        String keyId = caller.keyId;
        boolean once = always || config.refuseReplays() || (signature != null && signature.hasNonce);
        return signature == null || keyId == null || !once
                ? () -> {}
                : replays.accept(keyId, signature.text, signature.second);
    }

    /** Signatures that are remembered. */
    public int remembered() {
        return replays.remembered();
    }

    /**
     * Checks everything but the body. An {@code Authorization} header decides, whatever it says; without one the certificate
     * does.
     *
     * @param certificate that the client has proved to have, of a trusted authority; null if there is none
     * @throws GatewayException {@code UNAUTHENTICATED}; {@code CLOCK_SKEWED} if a right signature is too old or new;
     *     {@code TOKEN_KEYS_UNAVAILABLE} if a token cannot be checked now
     */
    public Caller identify(SignedRequest request, @Nullable X509Certificate certificate) {
        return identify(request, certificate, BasicCredentials.Memory.NONE);
    }

    /** The same, for a connection that knows what its last request was decoded to. */
    public Caller identify(
            SignedRequest request, @Nullable X509Certificate certificate, BasicCredentials.Memory memory) {
        String authorization = request.header("Authorization");
        if (authorization == null) {
            return certificate == null ? guest() : certified(certificate);
        }
        if (request.countHeaders("Authorization") > 1) {
            throw refused("There is more than one Authorization header.");
        }
        int space = authorization.indexOf(' ');
        int end = space < 0 ? authorization.length() : space;
        // What most requests have, without a copy of its name.
        if (isScheme(authorization, end, "basic")) {
            return basic(authorization, Math.min(end + 1, authorization.length()), memory);
        }
        String credentials = space < 0 ? "" : authorization.substring(space + 1).trim();
        String scheme = authorization.substring(0, end);
        return switch (scheme.toLowerCase(Locale.ROOT)) {
            case "galaxy-v3", "galaxy-v2", "oauth" -> signed(request, credentials);
            case "guest" -> guest();
            case BEARER -> bearer(credentials);
            default ->
                throw refused("The scheme '%s' of the Authorization header is not supported; use %s."
                        .formatted(scheme, tokens == null ? SCHEMES : "Bearer, " + SCHEMES));
        };
    }

    /**
     * What a refused client is told of how to prove who it is: the value of {@code WWW-Authenticate}.
     *
     * @param authorization value of its header
     */
    public String challenge(@Nullable String authorization) {
        String keys = "Basic realm=\"talos\", Galaxy-V3";
        if (tokens == null) {
            return keys;
        }
        return isBearer(authorization) ? "Bearer error=\"invalid_token\"" : keys + ", Bearer realm=\"talos\"";
    }

    private static boolean isBearer(@Nullable String authorization) {
        return authorization != null
                && authorization
                        .trim()
                        .split(" ", 2)[0]
                        .toLowerCase(Locale.ROOT)
                        .equals(BEARER);
    }

    /**
     * The key that a request names, whether it has it or not; null if it names none.
     *
     * @param authorization value of the header
     */
    public static @Nullable String claimedKey(@Nullable String authorization) {
        String[] words =
                authorization == null ? new String[0] : authorization.trim().split(" +", 2);
        if (words.length < 2 || isBearer(authorization)) {
            return null;
        }
        String credentials = words[1];
        if (words[0].equalsIgnoreCase("basic")) {
            try {
                credentials = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        int colon = credentials.indexOf(':');
        return colon < 1 ? null : credentials.substring(0, Math.min(colon, MAX_CLAIMED));
    }

    private Caller guest() {
        Principal guest = config.allowGuests()
                ? new Principal(Principal.GUEST.id(), null, true, true, KeyScope.ALL)
                : Principal.GUEST;
        return new Caller(guest, null, null);
    }

    /** A connection may live longer than the certificate that it began with, and a resumed session does not check it again. */
    private Caller certified(X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        if (!clock.instant().isBefore(end)) {
            throw refused("The client certificate of '%s' expired at %s."
                    .formatted(CertificateKeys.subject(certificate), end));
        }
        String keyId = certificateKeys.get().keyOf(certificate);
        AccessKey key = keys.find(keyId);
        if (key == null) {
            throw refused("The client certificate of '%s' stands for the key %s, which does not exist."
                    .formatted(CertificateKeys.subject(certificate), keyId));
        }
        return caller(usable(key), null, null);
    }

    /** All tokens of a principal have one share of the host. */
    private Caller bearer(String token) {
        if (tokens == null) {
            throw refused("This gateway accepts no bearer tokens; use " + SCHEMES + ".");
        }
        Principal principal = tokens.identify(token);
        return new Caller(principal, TOKENS + principal.id(), null);
    }

    private Caller signed(SignedRequest request, String credentials) {
        int colon = credentials.indexOf(':');
        if (colon < 1) {
            throw refused("The Authorization header must hold <key id>:<signature>.");
        }
        String signature = credentials.substring(colon + 1);
        AccessKey key = proven(
                keys.find(credentials.substring(0, colon)),
                secret -> isEqual(GalaxySignature.sign(secret, request), signature),
                "The key is unknown or the signature is wrong.");
        long second = checkedSecond(request.header(GalaxySignature.TIMESTAMP_HEADER));
        String queryDigest = request.header(GalaxySignature.QUERY_DIGEST_HEADER);
        if (queryDigest != null && !isEqual(GalaxySignature.queryDigest(request.query()), queryDigest)) {
            throw refused("The header " + GalaxySignature.QUERY_DIGEST_HEADER + " is not the SHA-256 of the query.");
        }
        String digest = request.header(GalaxySignature.DIGEST_HEADER);
        if (digest == null) {
            throw refused("The header " + GalaxySignature.DIGEST_HEADER + " is missing.");
        }
        boolean hasNonce = request.header(GalaxySignature.NONCE_HEADER) != null;
        return caller(key, digest, new Signature(signature, second, hasNonce, queryDigest != null));
    }

    private Caller caller(AccessKey key, @Nullable String digest, @Nullable Signature signature) {
        lastUse.used(key.id(), clock.millis());
        return new Caller(key.principal(), key.id(), digest, signature);
    }

    /**
     * The key, if the client has its secret and it may be used.
     *
     * @param key null if it is not known
     * @param isGiven whether the client has this secret
     */
    private AccessKey proven(@Nullable AccessKey key, Predicate<String> isGiven, String refusal) {
        // Two secrets for whoever is refused, so that time does not tell which keys exist.
        ReplacedSecret replaced = key == null ? null : key.replaced();
        boolean current = isGiven.test(key == null ? "unknown" : key.secret());
        boolean earlier = !current && isGiven.test(replaced == null ? "unknown" : replaced.secret());
        if (key == null || !(current || (earlier && replaced != null))) {
            throw refused(refusal);
        }
        // Only whoever has the secret is told more.
        long nowMs = clock.millis();
        if (earlier && replaced != null && nowMs >= replaced.untilMs()) {
            throw refused("This secret of the key %s was replaced, and was valid until %s: use the new one."
                    .formatted(key.id(), Instant.ofEpochMilli(replaced.untilMs())));
        }
        return usable(key);
    }

    /** The key, unless it has ended; for who has proved to be its owner. */
    private AccessKey usable(AccessKey key) {
        Long expiresAtMs = key.settings().expiresAtMs();
        if (expiresAtMs != null && clock.millis() >= expiresAtMs) {
            throw refused("The key %s expired at %s.".formatted(key.id(), Instant.ofEpochMilli(expiresAtMs)));
        }
        if (key.settings().disabled()) {
            throw refused("The key %s is disabled.".formatted(key.id()));
        }
        return key;
    }

    private long checkedSecond(@Nullable String timestamp) {
        if (timestamp == null || !SECONDS.matcher(timestamp).matches()) {
            throw refused("The header " + GalaxySignature.TIMESTAMP_HEADER + " must hold the seconds since 1970.");
        }
        long second = Long.parseLong(timestamp);
        long skewSeconds = second - clock.millis() / 1000;
        if (Math.abs(skewSeconds) > config.clockTolerance().toSeconds()) {
            throw new GatewayException(
                    ErrorCode.CLOCK_SKEWED,
                    "The request was signed %d seconds %s this host's time; %d are allowed. Set the clock of the client."
                            .formatted(
                                    Math.abs(skewSeconds),
                                    skewSeconds < 0 ? "before" : "after",
                                    config.clockTolerance().toSeconds()));
        }
        return second;
    }

    private Caller basic(String authorization, int from, BasicCredentials.Memory memory) {
        BasicCredentials given;
        try {
            given = BasicCredentials.of(authorization, from, memory);
        } catch (IllegalArgumentException e) {
            throw refused("The Authorization header is not valid Base64.");
        }
        String keyId = given.keyId();
        AccessKey key = proven(
                keyId == null ? null : keys.find(keyId),
                given::hasSecret,
                "The key is unknown or its secret is wrong.");
        return caller(key, null, null);
    }

    /** Whether the header begins with this scheme, which ends there. */
    private static boolean isScheme(String authorization, int end, String scheme) {
        return end == scheme.length() && authorization.regionMatches(true, 0, scheme, 0, end);
    }

    /** Takes a time that depends on nothing but the length of what was given. */
    private static boolean isEqual(String expected, String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    private static GatewayException refused(String reason) {
        return new GatewayException(ErrorCode.UNAUTHENTICATED, reason);
    }
}
