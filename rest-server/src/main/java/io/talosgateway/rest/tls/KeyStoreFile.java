package io.talosgateway.rest.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A PKCS#12 key store with one key.
 *
 * @param password of the store and of the key in it
 */
public record KeyStoreFile(Path file, String password) implements CertificateFiles {

    @Override
    public List<Path> paths() {
        return List.of(file);
    }

    @Override
    public ServerCertificate parse(List<byte[]> contents) throws IOException {
        try {
            KeyStore store = open(contents.get(0));
            String alias = onlyKey(store);
            List<X509Certificate> chain = new ArrayList<>();
            for (Certificate each : store.getCertificateChain(alias)) {
                chain.add((X509Certificate) each);
            }
            PrivateKey key = (PrivateKey) store.getKey(alias, password.toCharArray());
            return ServerCertificate.of(file.toString(), key, chain);
        } catch (GeneralSecurityException e) {
            throw new IOException("The key store %s cannot be used: %s".formatted(file, e.getMessage()), e);
        }
    }

    private KeyStore open(byte[] content) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(new ByteArrayInputStream(content), password.toCharArray());
            return store;
        } catch (IOException e) {
            String problem = e.getCause() instanceof UnrecoverableKeyException
                    ? "tls.key-store-password is not the password of %s.".formatted(file)
                    : "%s is not a PKCS#12 key store, or is damaged: %s".formatted(file, e.getMessage());
            throw new IOException(problem, e);
        }
    }

    private String onlyKey(KeyStore store) throws IOException, GeneralSecurityException {
        List<String> keys = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.entryInstanceOf(alias, KeyStore.PrivateKeyEntry.class)) {
                keys.add(alias);
            }
        }
        if (keys.size() != 1) {
            throw new IOException("The key store %s must hold one key with its certificate; it holds %s."
                    .formatted(file, keys.isEmpty() ? "none" : keys));
        }
        return keys.get(0);
    }

    @Override
    public String toString() {
        return "KeyStoreFile[file=" + file + "]";
    }
}
