package io.talosgateway.wire.auth;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import io.talosgateway.wire.auth.SignedRequest.Header;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/**
 * The signature of the Talos SDKs: HMAC-SHA1, in Base64, over the method, a few headers and the path. The same for the
 * schemes Galaxy-V2, Galaxy-V3 and OAuth. Stateless.
 */
public final class GalaxySignature {

    public static final String TIMESTAMP_HEADER = "X-Xiaomi-Timestamp";
    public static final String DATE_HEADER = "x-xiaomi-date";
    public static final String DIGEST_HEADER = "X-Xiaomi-Content-MD5";

    /** Anything that makes the request another than all others of the same key. A gateway accepts a change with it once. */
    public static final String NONCE_HEADER = "x-xiaomi-nonce";
    /** SHA-256 of the query as it is sent, in lower-case hex digits: the Talos SDKs do not sign the query itself. */
    public static final String QUERY_DIGEST_HEADER = "x-xiaomi-query-sha256";

    private static final String SIGNED_PREFIX = "x-xiaomi-";
    private static final String ALGORITHM = "HmacSHA1";
    private static final int MD5_DIGITS = 32;
    /** Query parameters that are part of the resource. The Talos SDKs never send any. */
    private static final Set<String> SUB_RESOURCES =
            Set.of("acl", "quota", "uploads", "partNumber", "uploadId", "storageAccessToken", "metadata");

    private GalaxySignature() {}

    /** The signature that a client with this secret makes. */
    public static String sign(String secret, SignedRequest request) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return Base64.getEncoder()
                    .encodeToString(mac.doFinal(stringToSign(request).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new AssertionError("every Java has " + ALGORITHM + " and takes a key that is not empty", e);
        }
    }

    static String stringToSign(SignedRequest request) {
        StringBuilder text = new StringBuilder(256)
                .append(request.method())
                .append('\n')
                .append(orEmpty(request.header("content-md5")))
                .append('\n')
                .append(orEmpty(request.header("content-type")))
                .append('\n')
                .append(dateLine(request))
                .append('\n');
        appendSignedHeaders(text, request);
        return text.append(resource(request)).toString();
    }

    private static String dateLine(SignedRequest request) {
        String expires = parameter(request.query(), "Expires");
        if (expires != null && expires.matches("[1-9]\\d{0,18}")) {
            return expires;
        }
        String signedDate = request.header(DATE_HEADER);
        return signedDate != null && !signedDate.isEmpty() ? "" : orEmpty(request.header("date"));
    }

    /** One line a name, sorted, several values of it joined by commas, as received. */
    private static void appendSignedHeaders(StringBuilder text, SignedRequest request) {
        List<Header> headers = new ArrayList<>(request.headersStartingWith(SIGNED_PREFIX));
        headers.sort(Comparator.comparing(Header::lowerCaseName));
        String previous = "";
        for (Header header : headers) {
            if (header.lowerCaseName().equals(previous)) {
                text.setCharAt(text.length() - 1, ',');
                text.append(header.value()).append('\n');
            } else {
                text.append(header.lowerCaseName())
                        .append(':')
                        .append(header.value())
                        .append('\n');
            }
            previous = header.lowerCaseName();
        }
    }

    private static String resource(SignedRequest request) {
        String query = request.query();
        if (query == null) {
            return request.path();
        }
        TreeMap<String, String> subResources = new TreeMap<>();
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            if (SUB_RESOURCES.contains(name)) {
                subResources.put(name, parameter);
            }
        }
        return subResources.isEmpty() ? request.path() : request.path() + "?" + String.join("&", subResources.values());
    }

    private static @Nullable String parameter(@Nullable String query, String name) {
        if (query == null) {
            return null;
        }
        for (String parameter : query.split("&", -1)) {
            if (parameter.startsWith(name + "=")) {
                return parameter.substring(name.length() + 1);
            }
        }
        return null;
    }

    /**
     * Whether the digest header is that of the body. The Java SDK prints the digest as a number and so loses leading
     * zeros: they are put back.
     */
    public static boolean isDigestOf(String digest, ByteSlice body) {
        if (digest.isEmpty() || digest.length() > MD5_DIGITS) {
            return false;
        }
        String padded = "0".repeat(MD5_DIGITS - digest.length()) + digest.toLowerCase(Locale.ROOT);
        return MessageDigest.isEqual(
                padded.getBytes(StandardCharsets.US_ASCII), md5(body).getBytes(StandardCharsets.US_ASCII));
    }

    /** MD5 of the body in 32 lower-case hex digits. */
    public static String md5(ByteSlice body) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(body.array(), body.offset(), body.length());
            return HexFormat.of().formatHex(md5.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has MD5", e);
        }
    }

    /** What {@link #QUERY_DIGEST_HEADER} holds for a query; null is the same as an empty one. */
    public static String queryDigest(@Nullable String query) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(orEmpty(query).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
