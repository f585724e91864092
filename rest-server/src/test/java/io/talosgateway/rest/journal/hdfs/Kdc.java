package io.talosgateway.rest.journal.hdfs;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

import javax.security.auth.Subject;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;

import io.talosgateway.rest.HeldPort;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.authentication.util.KerberosUtil;
import org.apache.kerby.kerberos.kerb.KrbCodec;
import org.apache.kerby.kerberos.kerb.KrbErrorCode;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.base.KrbError;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.jspecify.annotations.Nullable;

/**
 * A real KDC on loopback, in this process: the one that is inside Hadoop's MiniKdc. Where its realm is, Java and Hadoop know for the
 * whole process; both forget it when it is closed.
 */
public final class Kdc implements AutoCloseable {

    public static final String REALM = "TALOS.TEST";

    private static final String KRB5_CONF = "java.security.krb5.conf";

    private final Path directory;
    private final SimpleKdcServer server;
    private final HeldPort port = new HeldPort();
    private final @Nullable String krb5ConfBefore = System.getProperty(KRB5_CONF);

    private Kdc(Path directory) throws Exception {
        this.directory = Files.createDirectories(directory);
        server = new SimpleKdcServer();
        server.setWorkDir(directory.toFile());
        server.setKdcRealm(REALM);
        server.setKdcHost("127.0.0.1");
        server.setAllowUdp(false);
        server.setKdcTcpPort(port.number());
        server.getKdcConfig().setLong(KdcConfigKey.MINIMUM_TICKET_LIFETIME, 0L);
    }

    public static Kdc start(Path directory) throws Exception {
        Kdc kdc = new Kdc(directory);
        kdc.server.init();
        kdc.server.start();
        kdc.configure(Krb5.DEFAULT);
        System.setProperty(KRB5_CONF, kdc.krb5Conf().toString());
        kdc.refresh(kdc.keytab("first", "first"), "first@" + REALM);
        return kdc;
    }

    /**
     * Answers everything as the KDCs of MIT and of Active Directory answer somebody whose clock is wrong. The real one here cannot: it
     * says that the key is wrong.
     */
    public static final class OfAnotherTime implements AutoCloseable {

        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

        public OfAnotherTime() throws IOException {
            Thread thread = new Thread(this::answer, "kdc-of-another-time");
            thread.setDaemon(true);
            thread.start();
        }

        public int port() {
            return socket.getLocalPort();
        }

        private void answer() {
            while (!socket.isClosed()) {
                try (Socket client = socket.accept()) {
                    DataInputStream in = new DataInputStream(client.getInputStream());
                    in.skipNBytes(in.readInt());
                    byte[] error = KrbCodec.encode(skew());
                    DataOutputStream out = new DataOutputStream(client.getOutputStream());
                    out.writeInt(error.length);
                    out.write(error);
                    out.flush();
                } catch (IOException | KrbException e) {
                    // It was closed, or the client sees what is missing.
                }
            }
        }

        private static KrbError skew() {
            KrbError error = new KrbError();
            error.setErrorCode(KrbErrorCode.KRB_AP_ERR_SKEW);
            error.setStime(new KerberosTime(0));
            error.setSusec(0);
            error.setRealm(REALM);
            error.setSname(new PrincipalName("krbtgt/" + REALM));
            return error;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** What clients of this process find in krb5.conf. */
    public record Krb5(String realm, int port, int ticketSeconds, int clockSkewSeconds) {

        public static final Krb5 DEFAULT = new Krb5(REALM, 0, 36_000, 300);

        public Krb5 withTicketSeconds(int seconds) {
            return new Krb5(realm, port, seconds, clockSkewSeconds);
        }

        public Krb5 withClockSkewSeconds(int seconds) {
            return new Krb5(realm, port, ticketSeconds, seconds);
        }

        public Krb5 withRealm(String otherRealm) {
            return new Krb5(otherRealm, port, ticketSeconds, clockSkewSeconds);
        }

        public Krb5 withPort(int otherPort) {
            return new Krb5(realm, otherPort, ticketSeconds, clockSkewSeconds);
        }
    }

    private Path krb5Conf() {
        return directory.resolve("client-krb5.conf");
    }

    /** For logins from now on. */
    public void configure(Krb5 krb5) throws IOException {
        Files.writeString(krb5Conf(), """
                [libdefaults]
                    default_realm = %s
                    udp_preference_limit = 1
                    kdc_timeout = 10000
                    max_retries = 1
                    dns_lookup_kdc = false
                    dns_lookup_realm = false
                    ticket_lifetime = %ds
                    clockskew = %d
                [realms]
                    %s = {
                        kdc = 127.0.0.1:%d
                    }
                """.formatted(
                        REALM,
                        krb5.ticketSeconds(),
                        krb5.clockSkewSeconds(),
                        krb5.realm(),
                        krb5.port() == 0 ? port.number() : krb5.port()));
    }

    /** Makes principals of the realm, and a keytab with their keys. */
    public Path keytab(String name, String... principals) throws KrbException, IOException {
        Path keytab = directory.resolve(name + ".keytab");
        for (String principal : principals) {
            server.createPrincipal(principal + "@" + REALM);
        }
        for (String principal : principals) {
            export(principal, keytab);
        }
        return keytab;
    }

    public void export(String principal, Path keytab) throws KrbException, IOException {
        server.exportPrincipal(principal + "@" + REALM, keytab.toFile());
        Files.setPosixFilePermissions(keytab, PosixFilePermissions.fromString("rw-------"));
    }

    public void delete(String principal) throws KrbException {
        server.deletePrincipal(principal + "@" + REALM);
    }

    /** Keytabs that were exported before do not fit any more. */
    public void changeKey(String principal) throws KrbException {
        delete(principal);
        server.createPrincipal(principal + "@" + REALM);
    }

    /** Java reads krb5.conf again only at a login; Hadoop remembers the realm that Java said. */
    private void refresh(Path keytab, String principal) throws LoginException {
        Configuration configuration = new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {
                    new AppConfigurationEntry(
                            KerberosUtil.getKrb5LoginModuleName(),
                            LoginModuleControlFlag.REQUIRED,
                            Map.of(
                                    "principal", principal,
                                    "keyTab", keytab.toString(),
                                    "useKeyTab", "true",
                                    "doNotPrompt", "true",
                                    "refreshKrb5Config", "true"))
                };
            }
        };
        new LoginContext("kdc", new Subject(), null, configuration).login();
        KerberosName.resetDefaultRealm();
    }

    @Override
    public void close() throws IOException, KrbException {
        server.stop();
        port.close();
        if (krb5ConfBefore == null) {
            System.clearProperty(KRB5_CONF);
        } else {
            System.setProperty(KRB5_CONF, krb5ConfBefore);
        }
        KerberosName.resetDefaultRealm();
    }
}
