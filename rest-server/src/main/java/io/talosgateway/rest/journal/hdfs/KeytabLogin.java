package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.kerberos.KeyTab;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;

import io.talosgateway.rest.config.PrivateFiles;
import io.talosgateway.rest.journal.StorageFailures;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.authentication.util.KerberosUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets tickets from the KDC with the key of a keytab, and names what may fail in that. For any thread. */
final class KeytabLogin {

    private static final Logger log = LoggerFactory.getLogger(KeytabLogin.class);

    /** The number of a Kerberos error, at the end of the JDK's message or before the text of the KDC. */
    private static final Pattern ERROR_CODE = Pattern.compile("\\((\\d{1,3})\\)");

    private static final int MOST_NAMED_PRINCIPALS = 5;

    private final KerberosPrincipal principal;
    private final Path keytab;

    private KeytabLogin(KerberosPrincipal principal, Path keytab) {
        this.principal = principal;
        this.keytab = keytab;
    }

    /** @throws KerberosException if the keytab or the principal cannot be used, as far as that can be known without a KDC */
    static KeytabLogin of(KerberosConfig config) throws KerberosException {
        Path keytab = config.keytab();
        KeytabLogin login = new KeytabLogin(principal(config), keytab);
        login.check();
        try {
            if (PrivateFiles.isOpenToOthers(keytab)) {
                log.warn(
                        "Everybody on this machine can read the keytab {}, and be {} with it: chmod 400 it",
                        keytab,
                        login.principal);
            }
        } catch (IOException e) {
            log.debug("The permissions of {} cannot be read", keytab, e);
        }
        return login;
    }

    private static KerberosPrincipal principal(KerberosConfig config) throws KerberosException {
        try {
            return new KerberosPrincipal(SecurityUtil.getServerPrincipal(config.principal(), ""));
        } catch (IOException | IllegalArgumentException e) {
            throw new KerberosException(
                    ("storage.kerberos.principal=%s is not a principal (%s). Write it with its realm, such as "
                                    + "talos/_HOST@EXAMPLE.COM.")
                            .formatted(config.principal(), StorageFailures.reason(e)),
                    e);
        }
    }

    private void check() throws KerberosException {
        if (!Files.exists(keytab)) {
            throw new KerberosException(
                    "There is no keytab %s. Export one for %s, or name another in storage.kerberos.keytab."
                            .formatted(keytab, principal),
                    null);
        }
        if (!Files.isReadable(keytab) || Files.isDirectory(keytab)) {
            throw new KerberosException(
                    ("The keytab %s cannot be read. It must be a file that belongs to the user who runs the gateway, with "
                                    + "mode 400.")
                            .formatted(keytab),
                    null);
        }
        List<String> principals = principals();
        if (!principals.contains(principal.getName())) {
            throw new KerberosException(
                    ("The keytab %s has no key of %s, only of %s. Export a keytab for that principal, or correct "
                                    + "storage.kerberos.principal.")
                            .formatted(keytab, principal, named(principals)),
                    null);
        }
        if (KeyTab.getInstance(principal, keytab.toFile()).getKeys(principal).length == 0) {
            throw new KerberosException(
                    ("The keytab %s has keys of %s, but none of an encryption type that this Java and krb5.conf allow. "
                                    + "Export it with aes256-cts keys.")
                            .formatted(keytab, principal),
                    null);
        }
    }

    private List<String> principals() throws KerberosException {
        try {
            return Arrays.asList(KerberosUtil.getPrincipalNames(keytab.toString(), Pattern.compile(".*")));
        } catch (IOException | RuntimeException e) {
            throw new KerberosException(
                    "The file %s is not a keytab (%s). Export a keytab for %s."
                            .formatted(keytab, StorageFailures.reason(e), principal),
                    e);
        }
    }

    private static String named(List<String> principals) {
        if (principals.isEmpty()) {
            return "nobody";
        }
        String names = String.join(", ", principals.subList(0, Math.min(MOST_NAMED_PRINCIPALS, principals.size())));
        return principals.size() > MOST_NAMED_PRINCIPALS ? names + ", ..." : names;
    }

    KerberosPrincipal principal() {
        return principal;
    }

    /**
     * A new ticket for getting others. Reads the keytab and krb5.conf again. Waits for as long as krb5.conf says (kdc_timeout,
     * max_retries).
     *
     * @throws KerberosException if there is none
     */
    KerberosTicket login() throws KerberosException {
        check();
        Subject subject = new Subject();
        try {
            // Never logged out: that would destroy the ticket.
            new LoginContext(KeytabLogin.class.getName(), subject, null, new WithKeytab()).login();
        } catch (LoginException | SecurityException e) {
            throw named(e);
        }
        return subject.getPrivateCredentials(KerberosTicket.class).iterator().next();
    }

    private final class WithKeytab extends Configuration {

        @Override
        public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
            return new AppConfigurationEntry[] {
                new AppConfigurationEntry(
                        KerberosUtil.getKrb5LoginModuleName(),
                        LoginModuleControlFlag.REQUIRED,
                        Map.of(
                                "principal", principal.getName(),
                                "keyTab", keytab.toString(),
                                "useKeyTab", "true",
                                "doNotPrompt", "true",
                                "refreshKrb5Config", "true"))
            };
        }
    }

    private KerberosException named(Exception failure) {
        return new KerberosException(
                "%s cannot log in to Kerberos with the keytab %s: %s"
                        .formatted(principal, keytab, cause(principal.getRealm(), failure)),
                failure);
    }

    /** What is said when nothing was heard for too long. */
    static String silence(String reason) {
        return ("no KDC answers (%s). Check the KDCs of the realm in %s, that one of them runs, and that this host "
                        + "reaches its port 88.")
                .formatted(reason, krb5Conf());
    }

    private static String cause(String realm, Exception failure) {
        // The message itself: what it was caused by is often only how the JDK found out.
        String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketException
                    || cause instanceof SocketTimeoutException
                    || cause instanceof UnknownHostException) {
                return silence(reason);
            }
        }
        if (reason.contains("Cannot locate KDC") || reason.contains("Cannot get kdc for realm")) {
            return "no KDC of the realm %s is known (%s). Add the realm with its KDCs to %s, or its SRV records to the DNS."
                    .formatted(realm, reason, krb5Conf());
        }
        if (reason.contains("Checksum failed")) {
            return wrongKey(reason);
        }
        return switch (errorCode(reason)) {
            case 6 ->
                "the KDC does not know the principal (%s). Create it, or correct storage.kerberos.principal."
                        .formatted(reason);
            case 1, 18, 23 ->
                "the KDC has locked the principal, or its validity is over (%s). Have it unlocked.".formatted(reason);
            case 14 ->
                "the KDC supports no encryption type of the keytab (%s). Export the keytab again.".formatted(reason);
            case 24, 31 -> wrongKey(reason);
            case 37 ->
                "the clocks of this host and of the KDC differ by more than Kerberos allows (%s). Set both by NTP."
                        .formatted(reason);
            case 68 ->
                "the KDC is not one of the realm %s (%s). Correct the realm in storage.kerberos.principal or in %s."
                        .formatted(realm, reason, krb5Conf());
            default -> "%s. Check storage.kerberos.principal, the keytab and %s.".formatted(reason, krb5Conf());
        };
    }

    private static String wrongKey(String reason) {
        return ("the KDC has another key of the principal than the keytab (%s). Export the keytab again. If it was exported "
                        + "after the last change of the key, compare the clocks of this host and of the KDC.")
                .formatted(reason);
    }

    private static int errorCode(String reason) {
        Matcher code = ERROR_CODE.matcher(reason);
        return code.find() ? Integer.parseInt(code.group(1)) : -1;
    }

    private static String krb5Conf() {
        return System.getProperty("java.security.krb5.conf", "/etc/krb5.conf");
    }
}
