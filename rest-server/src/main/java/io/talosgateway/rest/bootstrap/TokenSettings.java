package io.talosgateway.rest.bootstrap;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.talosgateway.rest.auth.TokenConfig;
import io.talosgateway.rest.auth.TokenConfig.AdminClaim;
import org.jspecify.annotations.Nullable;

/** Reads the configuration of bearer tokens. */
final class TokenSettings {

    private TokenSettings() {}

    /**
     * @return null if none are accepted
     * @throws ConfigException with a sentence for the operator
     */
    static @Nullable TokenConfig read(Settings settings) {
        String issuer = settings.optional("auth.oidc.issuer");
        String audience = settings.optional("auth.oidc.audience");
        String keys = settings.optional("auth.oidc.jwks");
        Set<String> algorithms = Arrays.stream(settings.string("auth.oidc.algorithms", "ES256,PS256,RS256")
                        .split(","))
                .map(String::trim)
                .collect(Collectors.toUnmodifiableSet());
        String principal = settings.string("auth.oidc.principal-claim", "sub");
        String organization = settings.optional("auth.oidc.organization-claim");
        String adminClaim = settings.optional("auth.oidc.admin-claim");
        String adminValue = settings.optional("auth.oidc.admin-value");
        boolean trustNames = settings.bool("auth.oidc.trust-names", false);
        Duration interval = settings.duration("auth.oidc.refresh-interval", Duration.ofMinutes(5));
        if ((adminClaim == null) != (adminValue == null)) {
            throw new ConfigException("auth.oidc.admin-claim and auth.oidc.admin-value belong together: set both.");
        }
        if (issuer == null || audience == null || keys == null) {
            List<String> others = Stream.of(issuer, audience, keys, organization, adminClaim)
                    .filter(each -> each != null)
                    .toList();
            if (others.isEmpty() && !trustNames) {
                return null;
            }
            throw new ConfigException(
                    "auth.oidc.issuer, auth.oidc.audience and auth.oidc.jwks belong together: set all three.");
        }
        return new TokenConfig(
                issuer,
                audience,
                uri(keys),
                algorithms,
                principal,
                organization,
                adminClaim == null || adminValue == null ? null : new AdminClaim(adminClaim, adminValue),
                trustNames,
                interval);
    }

    private static URI uri(String text) {
        try {
            return URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("auth.oidc.jwks is not a URI: " + text, e);
        }
    }
}
