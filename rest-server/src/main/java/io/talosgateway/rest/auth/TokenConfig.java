package io.talosgateway.rest.auth;

import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;

import com.google.common.net.InetAddresses;
import org.jspecify.annotations.Nullable;

/**
 * Whose bearer tokens are accepted, and what they mean.
 *
 * @param issuer value of the claim {@code iss}
 * @param audience one of the values of the claim {@code aud}
 * @param keys where the issuer's public keys are: {@code https}, {@code http} to this machine, or {@code file}
 * @param algorithms of signatures that are accepted
 * @param principalClaim whose value is the principal's name
 * @param organizationClaim whose value is the organization's name; null if tokens name none
 * @param admin who is an administrator; null for nobody
 * @param trustNames whether names in tokens are those of owners and organizations of keys; else they have a prefix
 * @param refreshInterval how often the keys are read
 */
public record TokenConfig(
        String issuer,
        String audience,
        URI keys,
        Set<String> algorithms,
        String principalClaim,
        @Nullable String organizationClaim,
        @Nullable AdminClaim admin,
        boolean trustNames,
        Duration refreshInterval) {

    /** Signatures that are checked with a public key. Of others, whoever checks could make them, too. */
    private static final Set<String> KNOWN_ALGORITHMS =
            Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512");

    /** Whoever has this value in this claim, which is a string or a list of strings. */
    public record AdminClaim(String name, String value) {}

    public TokenConfig {
        algorithms = Set.copyOf(algorithms);
        if (algorithms.isEmpty() || !KNOWN_ALGORITHMS.containsAll(algorithms)) {
            throw new IllegalArgumentException("auth.oidc.algorithms must be some of %s, not '%s'"
                    .formatted(
                            String.join(",", new TreeSet<>(KNOWN_ALGORITHMS)),
                            String.join(",", new TreeSet<>(algorithms))));
        }
        if (!isAllowed(keys)) {
            throw new IllegalArgumentException(
                    "auth.oidc.jwks must be an https address, an http address of this machine (127.0.0.1), or a file (file:///...), not '%s'"
                            .formatted(keys));
        }
        if (refreshInterval.toMillis() < 1) {
            throw new IllegalArgumentException("auth.oidc.refresh-interval must be positive: " + refreshInterval);
        }
    }

    private static boolean isAllowed(URI keys) {
        String host = keys.getHost();
        return switch (String.valueOf(keys.getScheme())) {
            case "file" -> keys.getPath() != null;
            case "https" -> host != null;
            case "http" -> host != null && isThisMachine(host);
            default -> false;
        };
    }

    private static boolean isThisMachine(String host) {
        return host.equals("localhost")
                || (InetAddresses.isUriInetAddress(host)
                        && InetAddresses.forUriString(host).isLoopbackAddress());
    }
}
