package io.talosgateway.rest.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/** A certificate authority that the JDK's keytool makes anew, and certificates for 127.0.0.1 that it signs. */
public final class TestCertificates {

    public static final String PASSWORD = "changeit";

    static {
        // By default, the JDK hashes the password ten thousand times for each of these.
        for (String count : List.of("keyPbe", "certPbe", "mac")) {
            System.setProperty("keystore.pkcs12." + count + "IterationCount", "1");
        }
    }

    private final Path directory;
    private final Path store;

    public TestCertificates(Path directory, String name) throws Exception {
        this.directory = directory;
        this.store = directory.resolve(name + ".p12");
        keytool(
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-alias",
                "ca",
                "-keyalg",
                "EC",
                "-ext",
                "bc=ca:true",
                "-dname",
                "CN=" + name);
    }

    /**
     * In this process: a Java of its own takes much longer to start than to make a key. A wrong argument ends the process; the reason is
     * in its output.
     */
    private static void keytool(String... arguments) throws ReflectiveOperationException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Class.forName("sun.security.tools.keytool.Main")
                .getMethod("main", String[].class)
                .invoke(null, (Object) all.toArray(String[]::new));
    }

    /** A certificate with its key and its chain, the authority's last. */
    public record Issued(PrivateKey key, List<X509Certificate> chain) {

        public String certificatePem() throws GeneralSecurityException {
            StringBuilder text = new StringBuilder();
            for (X509Certificate each : chain) {
                text.append(pem("CERTIFICATE", each.getEncoded()));
            }
            return text.toString();
        }

        public String keyPem() {
            return pem("PRIVATE KEY", key.getEncoded());
        }

        public PemFiles write(Path certificate, Path keyFile) throws Exception {
            Files.writeString(keyFile, keyPem());
            Files.writeString(certificate, certificatePem());
            return new PemFiles(certificate, keyFile);
        }

        public KeyStoreFile writeKeyStore(Path file) throws Exception {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("server", key, PASSWORD.toCharArray(), chain.toArray(Certificate[]::new));
            try (OutputStream out = Files.newOutputStream(file)) {
                store.store(out, PASSWORD.toCharArray());
            }
            return new KeyStoreFile(file, PASSWORD);
        }
    }

    static String pem(String label, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(label, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content), label);
    }

    /** @param name the common name, unlike that of any other of this authority */
    public Issued issue(String name, String keyAlgorithm, String... validity) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-alias",
                name,
                "-signer",
                "ca",
                "-keyalg",
                keyAlgorithm,
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-dname",
                "CN=" + name));
        arguments.addAll(Arrays.asList(validity));
        keytool(arguments.toArray(String[]::new));
        KeyStore loaded = load();
        List<X509Certificate> chain = Arrays.stream(loaded.getCertificateChain(name))
                .map(X509Certificate.class::cast)
                .toList();
        return new Issued((PrivateKey) loaded.getKey(name, PASSWORD.toCharArray()), chain);
    }

    private KeyStore load() throws IOException, GeneralSecurityException {
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            loaded.load(in, PASSWORD.toCharArray());
        }
        return loaded;
    }

    /** What clients that trust this authority make connections with. */
    public SSLContext trusting() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust(), null);
        return context;
    }

    private TrustManager[] trust() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", load().getCertificate("ca"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        return trust.getTrustManagers();
    }

    /**
     * The same for clients that show a certificate, whoever the server says it trusts.
     *
     * @param own whose authority may be another one
     */
    public SSLContext trustingAs(Issued own) throws Exception {
        X509ExtendedKeyManager keys = new X509ExtendedKeyManager() {
            @Override
            public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
                return "own";
            }

            @Override
            public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
                return "own";
            }

            @Override
            public X509Certificate[] getCertificateChain(String alias) {
                return own.chain.toArray(X509Certificate[]::new);
            }

            @Override
            public PrivateKey getPrivateKey(String alias) {
                return own.key;
            }

            @Override
            public String[] getClientAliases(String type, Principal[] issuers) {
                return new String[] {"own"};
            }

            @Override
            public String[] getServerAliases(String type, Principal[] issuers) {
                return new String[0];
            }

            @Override
            public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
                throw new AssertionError("a client");
            }
        };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {keys}, trust(), null);
        return context;
    }

    /** The certificate of the authority. */
    public String certificatePem() throws IOException, GeneralSecurityException {
        return pem("CERTIFICATE", load().getCertificate("ca").getEncoded());
    }

    /** The key store of the authority, with everything it has issued. */
    public Path store() {
        return store;
    }

    Path directory() {
        return directory;
    }
}
