package io.talosgateway.rest.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import javax.security.auth.x500.X500Principal;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;

/*
 * The file has a line for each certificate; empty lines, and lines that begin with '#', are skipped:
 *
 *   KEY-ID  CN=collector,O=Example                 the subject, as 'openssl x509 -subject -nameopt RFC2253' shows it
 *   KEY-ID  URI:spiffe://example.org/billing       a URI among the subject's alternative names
 */
/** Which key a client's certificate stands for, as the operator says in a file. Immutable. */
public final class CertificateKeys {

    /** Certificates stand for nobody. */
    public static final CertificateKeys NONE = new CertificateKeys(Map.of());

    private static final String URI_PREFIX = "URI:";
    /** Of a URI, in {@link X509Certificate#getSubjectAlternativeNames}. */
    private static final int URI_NAME = 6;

    private static final int MAX_SHOWN = 200;

    /** By {@link X500Principal}, or by {@code URI:} and the URI. */
    private final Map<Object, String> keys;

    private CertificateKeys(Map<Object, String> keys) {
        this.keys = keys;
    }

    /**
     * The content of a file.
     *
     * @throws IOException with a sentence for the operator if it is not valid
     */
    public static CertificateKeys parse(Path file, byte[] content) throws IOException {
        String text = new String(content, StandardCharsets.UTF_8);
        if (!text.endsWith("\n")) {
            // Half of a subject may be the subject of somebody else.
            throw new IOException(
                    "%s is empty or not written to its end: the last line must end with a line break.".formatted(file));
        }
        Map<Object, String> keys = new HashMap<>();
        int number = 0;
        for (String line : text.lines().map(String::strip).toList()) {
            number++;
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("\\s+", 2);
            if (words.length < 2) {
                throw wrong(file, number, "it must hold a key's id and the subject or URI of a certificate");
            }
            Object name;
            try {
                name = words[1].startsWith(URI_PREFIX) ? words[1] : new X500Principal(words[1]);
            } catch (IllegalArgumentException e) {
                throw wrong(file, number, "'%s' is not a subject like CN=collector,O=Example".formatted(words[1]));
            }
            if (keys.put(name, words[0]) != null) {
                throw wrong(file, number, "'%s' is there twice".formatted(words[1]));
            }
        }
        return new CertificateKeys(keys);
    }

    private static IOException wrong(Path file, int line, String problem) {
        return new IOException("%s says which key a client's certificate stands for; line %d is wrong: %s."
                .formatted(file, line, problem));
    }

    /**
     * The id of the key that a certificate stands for.
     *
     * @param certificate of a trusted authority
     * @throws GatewayException {@code UNAUTHENTICATED} if it stands for none, or for several
     */
    String keyOf(X509Certificate certificate) {
        Set<String> found = new HashSet<>();
        for (Object name : names(certificate)) {
            String key = keys.get(name);
            if (key != null) {
                found.add(key);
            }
        }
        if (found.size() != 1) {
            throw new GatewayException(
                    ErrorCode.UNAUTHENTICATED,
                    "The client certificate of '%s' stands for %s: its names must belong to one key in the gateway's tls.client-keys. Or send other credentials in the Authorization header."
                            .formatted(subject(certificate), found.isEmpty() ? "no key" : "several keys"));
        }
        return found.iterator().next();
    }

    private static Set<Object> names(X509Certificate certificate) {
        Set<Object> names = new HashSet<>();
        names.add(certificate.getSubjectX500Principal());
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> alternative : alternatives) {
                    if (alternative.get(0).equals(URI_NAME)) {
                        names.add(URI_PREFIX + alternative.get(1));
                    }
                }
            }
        } catch (CertificateParsingException e) {
            // It has no names that can be read.
        }
        return names;
    }

    static String subject(X509Certificate certificate) {
        String name = certificate.getSubjectX500Principal().getName();
        return name.length() <= MAX_SHOWN ? name : name.substring(0, MAX_SHOWN) + "...";
    }
}
