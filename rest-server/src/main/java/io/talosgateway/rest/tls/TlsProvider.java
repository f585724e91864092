package io.talosgateway.rest.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Provider;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import org.conscrypt.Conscrypt;

/** Whose TLS it is. */
public enum TlsProvider {
    /** The JDK's, in Java. */
    JDK {
        @Override
        SSLContext newContext() throws GeneralSecurityException {
            return SSLContext.getInstance("TLS");
        }
    },

    /** Google's Conscrypt: BoringSSL, in native code. */
    CONSCRYPT {
        @Override
        SSLContext newContext() throws IOException, GeneralSecurityException {
            return SSLContext.getInstance("TLS", conscrypt());
        }

        @Override
        public boolean copiesHeapBuffers() {
            return true;
        }

        /** Without it, Conscrypt's server gives out no tickets, and each connection costs a whole handshake. */
        @Override
        public void prepare(SSLEngine engine) {
            Conscrypt.setUseSessionTickets(engine, true);
        }
    };

    /**
     * A context without keys. The provider is not registered: nothing else in the process uses it.
     *
     * @throws IOException with a sentence for the operator if the provider does not work on this machine
     */
    abstract SSLContext newContext() throws IOException, GeneralSecurityException;

    /** Whether it works on direct buffers, and copies others into such. */
    public boolean copiesHeapBuffers() {
        return false;
    }

    /** Prepares a connection, so that its client can resume its session later. */
    public void prepare(SSLEngine engine) {}

    private static Provider conscrypt() throws IOException {
        try {
            Conscrypt.checkAvailability();
            return Conscrypt.newProvider();
        } catch (LinkageError e) {
            throw new IOException(
                    ("tls.provider=conscrypt does not work on this machine (%s, %s): its native code cannot be loaded (%s). "
                                    + "Use tls.provider=jdk.")
                            .formatted(
                                    System.getProperty("os.name"),
                                    System.getProperty("os.arch"),
                                    firstLine(e.toString())),
                    e);
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
