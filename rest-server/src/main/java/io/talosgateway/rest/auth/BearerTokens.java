package io.talosgateway.rest.auth;

import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Date;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.Grants;
import org.jspecify.annotations.Nullable;

/**
 * Whom bearer tokens (signed JWTs of one issuer) stand for; see docs/decisions/0039-tokens-and-certificates.md. Safe for use by
 * any thread; never blocks.
 */
public final class BearerTokens {

    /** Of names of principals, unless the issuer is trusted with the names of owners of keys. */
    static final String PRINCIPAL_PREFIX = "oidc:";
    /** Of names of organizations; unlike that of principals, so that no name of a user is that of an organization. */
    static final String ORGANIZATION_PREFIX = "oidc-org:";

    /** By which clocks may differ. */
    static final Duration LEEWAY = Duration.ofSeconds(30);

    /** In lower case. ID tokens have {@code jwt}, too: their audience is another one. */
    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    private final TokenConfig config;
    private final IssuerKeys keys;
    private final InstantSource clock;
    private final DefaultJWSVerifierFactory verifiers = new DefaultJWSVerifierFactory();

    public BearerTokens(TokenConfig config, IssuerKeys keys, InstantSource clock) {
        this.config = config;
        this.keys = keys;
        this.clock = clock;
    }

    /**
     * The principal that a token stands for.
     *
     * @throws GatewayException {@code UNAUTHENTICATED} if it is not valid; {@code TOKEN_KEYS_UNAVAILABLE} if that cannot be
     *     told now
     */
    Principal identify(String token) {
        SignedJWT jwt;
        try {
            jwt = SignedJWT.parse(token);
        } catch (ParseException | IllegalArgumentException e) {
            throw refused("The token is not a signed JWT.");
        }
        checkSignature(jwt);
        // Only whoever has a token of the issuer is told more.
        try {
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            checkClaims(claims);
            return principal(claims);
        } catch (ParseException e) {
            throw refused("A claim of the token is not of the type that it must have.");
        }
    }

    private void checkSignature(SignedJWT jwt) {
        if (!config.algorithms().contains(jwt.getHeader().getAlgorithm().getName())) {
            throw refused("The token is not signed with one of the algorithms that are accepted: %s."
                    .formatted(String.join(", ", new TreeSet<>(config.algorithms()))));
        }
        JOSEObjectType type = jwt.getHeader().getType();
        if (type != null && !TYPES.contains(type.getType().toLowerCase(Locale.ROOT))) {
            throw refused("The token is of another type than JWT or at+jwt.");
        }
        var candidates = keys.find(jwt.getHeader());
        if (candidates.isEmpty()) {
            throw refused("The token is signed with a key that its issuer does not have.");
        }
        for (var key : candidates) {
            try {
                if (jwt.verify(verifiers.createJWSVerifier(jwt.getHeader(), key))) {
                    return;
                }
            } catch (JOSEException | IllegalStateException e) {
                // Not by this key.
            }
        }
        throw refused("The signature of the token is wrong.");
    }

    private void checkClaims(JWTClaimsSet claims) throws ParseException {
        if (!config.issuer().equals(claims.getIssuer())) {
            throw refused("The token is of another issuer (claim 'iss') than this gateway accepts.");
        }
        if (!claims.getAudience().contains(config.audience())) {
            throw refused("The token is for another audience (claim 'aud') than this gateway.");
        }
        Instant now = clock.instant();
        Date end = claims.getExpirationTime();
        if (end == null) {
            throw refused("The token has no end (claim 'exp').");
        }
        if (!now.minus(LEEWAY).isBefore(end.toInstant())) {
            throw refused("The token expired at %s.".formatted(end.toInstant()));
        }
        Date begin = claims.getNotBeforeTime();
        if (begin != null && now.plus(LEEWAY).isBefore(begin.toInstant())) {
            throw refused("The token is not valid before %s.".formatted(begin.toInstant()));
        }
    }

    private Principal principal(JWTClaimsSet claims) throws ParseException {
        String id = claims.getStringClaim(config.principalClaim());
        if (id == null) {
            throw refused("The token has no claim '%s', which names its principal.".formatted(config.principalClaim()));
        }
        String claim = config.organizationClaim();
        String organization = claim == null ? null : claims.getStringClaim(claim);
        return new Principal(
                name(config.principalClaim(), PRINCIPAL_PREFIX, id),
                claim == null || organization == null ? null : name(claim, ORGANIZATION_PREFIX, organization),
                isAdmin(claims),
                false,
                KeyScope.ALL);
    }

    private String name(String claim, String prefix, String value) {
        String name = config.trustNames() ? value : prefix + value;
        if (value.isBlank()
                || name.length() > Grants.MAX_PRINCIPAL_LENGTH
                || name.chars().anyMatch(Character::isISOControl)) {
            throw refused("The claim '%s' of the token must have 1 to %d characters, and no control characters."
                    .formatted(claim, Grants.MAX_PRINCIPAL_LENGTH - (name.length() - value.length())));
        }
        return name;
    }

    private boolean isAdmin(JWTClaimsSet claims) {
        TokenConfig.AdminClaim admin = config.admin();
        @Nullable Object value = admin == null ? null : claims.getClaim(admin.name());
        return admin != null
                && (admin.value().equals(value)
                        || (value instanceof Collection<?> values && values.contains(admin.value())));
    }

    private static GatewayException refused(String reason) {
        return new GatewayException(ErrorCode.UNAUTHENTICATED, reason);
    }
}
