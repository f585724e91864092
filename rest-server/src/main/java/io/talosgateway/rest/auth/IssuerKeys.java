package io.talosgateway.rest.auth;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.security.PublicKey;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public keys of the issuer of tokens, in memory. They are read from time to time, and soon when a token names a key that
 * is not among them; never by who looks for a key. While they cannot be read, those read before stay valid.
 *
 * <p>{@link #readIfDue} blocks, and is for one thread at a time; the others are for any thread.
 */
public final class IssuerKeys {

    private static final Logger log = LoggerFactory.getLogger(IssuerKeys.class);

    /** Between two readings that somebody without a key can cause, and after one that failed. */
    private static final Duration MIN_INTERVAL = Duration.ofSeconds(10);

    private static final int TIMEOUT_MS = 5_000;
    private static final int MAX_BYTES = 256 * 1024;
    private static final int MAX_KEYS = 100;
    /** Of one token: those of the same id, or all if it names none. */
    private static final int MAX_TRIED = 4;

    private static final int MIN_RSA_BITS = 2_048;

    private final Source source;
    private final long intervalMs;
    private final long minIntervalMs;
    private final InstantSource clock;
    private final Executor background;
    private volatile @Nullable Known known;
    private long attemptedAtMs = Long.MIN_VALUE / 2;
    private boolean underWay;
    private @Nullable String problem;

    /** Where the keys are. */
    @FunctionalInterface
    interface Source {

        /** A JSON Web Key Set. Blocks. */
        String read() throws IOException;
    }

    private record IssuerKey(JWK description, PublicKey key) {}

    private record Known(List<IssuerKey> keys, long readAtMs) {}

    /** @param background where the keys are read if a token needs it; one thread */
    public IssuerKeys(TokenConfig config, InstantSource clock, Executor background) throws IOException {
        this(source(config.keys().toURL()), config.refreshInterval(), clock, background);
    }

    IssuerKeys(Source source, Duration interval, InstantSource clock, Executor background) {
        this.source = source;
        this.intervalMs = interval.toMillis();
        this.minIntervalMs = Math.min(intervalMs, MIN_INTERVAL.toMillis());
        this.clock = clock;
        this.background = background;
    }

    private static Source source(URL url) {
        DefaultResourceRetriever retriever = new DefaultResourceRetriever(TIMEOUT_MS, TIMEOUT_MS, MAX_BYTES) {
            @Override
            protected HttpURLConnection openHTTPConnection(URL to) throws IOException {
                HttpURLConnection connection = super.openHTTPConnection(to);
                // Whoever can answer there with a redirect must not choose where keys come from.
                connection.setInstanceFollowRedirects(false);
                return connection;
            }
        };
        return () -> retriever.retrieveResource(url).getContent();
    }

    /** How often {@link #readIfDue} is to be called. */
    public long pollMs() {
        return minIntervalMs;
    }

    /** Milliseconds since the keys were read; null if they were not. */
    public @Nullable Long ageMs() {
        Known now = known;
        return now == null ? null : clock.millis() - now.readAtMs;
    }

    /** Reads the keys if it is time to. Never throws. */
    public void readIfDue() {
        synchronized (this) {
            long waitMs = problem == null ? intervalMs : minIntervalMs;
            if (underWay || isWithin(waitMs)) {
                return;
            }
            underWay = true;
        }
        read();
    }

    private void read() {
        long nowMs = clock.millis();
        String failure = null;
        try {
            List<IssuerKey> keys = parse(source.read());
            known = new Known(keys, nowMs);
            log.debug("The token issuer has {} keys", keys.size());
        } catch (IOException | ParseException | JOSEException | RuntimeException e) {
            failure = String.valueOf(e.getMessage());
        }
        synchronized (this) {
            if (failure != null && !failure.equals(problem)) {
                log.warn(
                        "The keys of the token issuer (auth.oidc.jwks) cannot be read; {}. {}",
                        known == null ? "no token is accepted" : "those read before stay valid",
                        failure);
            }
            problem = failure;
            attemptedAtMs = nowMs;
            underWay = false;
        }
    }

    private static List<IssuerKey> parse(String text) throws IOException, ParseException, JOSEException {
        List<IssuerKey> keys = new ArrayList<>();
        for (JWK jwk : JWKSet.parse(text).getKeys()) {
            if (jwk instanceof RSAKey rsa && rsa.size() >= MIN_RSA_BITS) {
                keys.add(new IssuerKey(rsa.toPublicJWK(), rsa.toPublicKey()));
            } else if (jwk instanceof ECKey ec) {
                keys.add(new IssuerKey(ec.toPublicJWK(), ec.toPublicKey()));
            }
        }
        if (keys.isEmpty() || keys.size() > MAX_KEYS) {
            throw new IOException("There must be 1 to %d keys of RSA with at least %d bits, or of EC; there are %d."
                    .formatted(MAX_KEYS, MIN_RSA_BITS, keys.size()));
        }
        return keys;
    }

    /**
     * The keys with which a token may be signed; none if the issuer has no such key.
     *
     * @throws GatewayException {@code TOKEN_KEYS_UNAVAILABLE} if the keys are being read, or could not be read yet
     */
    List<PublicKey> find(JWSHeader header) {
        JWKMatcher wanted = JWKMatcher.forJWSHeader(header);
        List<PublicKey> found = find(wanted, known);
        if (!found.isEmpty()) {
            return found;
        }
        boolean reading = readSoon();
        // They may have come between the two lines before.
        Known now = known;
        found = find(wanted, now);
        if (found.isEmpty() && (reading || now == null)) {
            throw new GatewayException(
                    ErrorCode.TOKEN_KEYS_UNAVAILABLE,
                    "The keys of the token issuer %s; send the request again in a second."
                            .formatted(reading ? "are being read" : "could not be read yet"));
        }
        return found;
    }

    private static List<PublicKey> find(JWKMatcher wanted, @Nullable Known known) {
        return known == null
                ? List.of()
                : known.keys.stream()
                        .filter(each -> wanted.matches(each.description))
                        .limit(MAX_TRIED)
                        .map(IssuerKey::key)
                        .toList();
    }

    /** Whether the last attempt was so short a time ago; not if the clock was set back since. */
    private boolean isWithin(long ms) {
        long agoMs = clock.millis() - attemptedAtMs;
        return agoMs >= 0 && agoMs < ms;
    }

    /** Has the keys read unless they just were; whether they are being read. */
    private boolean readSoon() {
        synchronized (this) {
            if (underWay) {
                return true;
            }
            if (isWithin(minIntervalMs)) {
                return false;
            }
            underWay = true;
        }
        background.execute(this::read);
        return true;
    }
}
