package io.talosgateway.wire.auth;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/** Signs requests with a key, as the Talos SDKs do. Immutable. */
public final class RequestSigner {

    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private final String keyId;
    private final String secret;
    private final InstantSource clock;

    public RequestSigner(String keyId, String secret, InstantSource clock) {
        this.keyId = keyId;
        this.secret = secret;
        this.clock = clock;
    }

    /**
     * The headers that make a POST request of now a signed one.
     *
     * @param digest of the body, see {@link GalaxySignature#md5}; the signature covers it, not the body itself
     */
    public Map<String, String> headers(String path, String contentType, String digest) {
        return headers(path, contentType, digest, Map.of());
    }

    /**
     * The same for a request with the query, which the signature covers, too; the gateway accepts a change with these headers
     * once.
     *
     * @param nonce another one for each request of the key
     */
    public Map<String, String> headers(
            String path, @Nullable String query, String contentType, String digest, String nonce) {
        return headers(
                path,
                contentType,
                digest,
                Map.of(
                        GalaxySignature.NONCE_HEADER,
                        nonce,
                        GalaxySignature.QUERY_DIGEST_HEADER,
                        GalaxySignature.queryDigest(query)));
    }

    private Map<String, String> headers(String path, String contentType, String digest, Map<String, String> more) {
        Instant now = clock.instant();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(GalaxySignature.TIMESTAMP_HEADER, Long.toString(now.getEpochSecond()));
        headers.put(GalaxySignature.DATE_HEADER, DATE.format(now));
        headers.put(GalaxySignature.DIGEST_HEADER, digest);
        headers.putAll(more);
        SignableRequest request =
                new SignableRequest("POST", path, null, ByteSlice.EMPTY).with("Content-Type", contentType);
        headers.forEach(request::with);
        headers.put("Authorization", "Galaxy-V3 " + keyId + ":" + GalaxySignature.sign(secret, request));
        return headers;
    }
}
