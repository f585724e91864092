package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;
import java.util.Locale;

import io.talosgateway.rest.journal.StorageFailures;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.jspecify.annotations.Nullable;

/** What must be set for an HDFS with Kerberos, and what it means if an HDFS refuses this gateway. Stateless. */
final class HdfsSecurity {

    private static final String AUTHENTICATION = "hadoop.security.authentication";
    private static final String NAMENODE = "dfs.namenode.kerberos.principal";
    private static final String NAMENODE_PATTERN = NAMENODE + ".pattern";
    private static final String FILES =
            "put core-site.xml and hdfs-site.xml of the cluster beside the configuration file of the gateway";

    private HdfsSecurity() {}

    /** @throws KerberosException if the settings of the gateway and those of the Hadoop client contradict each other */
    static void check(StorageConfig config, Configuration hadoop) throws KerberosException {
        boolean kerberos = authentication(hadoop) != AuthenticationMethod.SIMPLE;
        if (kerberos && config.kerberos() == null) {
            throw new KerberosException(
                    ("HDFS is configured for Kerberos (%s=%s), but the gateway has no keytab. Set storage.kerberos.principal "
                                    + "and storage.kerberos.keytab.")
                            .formatted(AUTHENTICATION, hadoop.get(AUTHENTICATION)),
                    null);
        }
        if (!kerberos && config.kerberos() != null) {
            throw new KerberosException(
                    ("storage.kerberos.keytab is set, but the Hadoop client is configured without Kerberos (%s=simple). To use "
                                    + "Kerberos, %s, or set hadoop.%s=kerberos; otherwise remove storage.kerberos.*.")
                            .formatted(AUTHENTICATION, FILES, AUTHENTICATION),
                    null);
        }
        if (kerberos && !isSet(hadoop, NAMENODE) && !isSet(hadoop, NAMENODE_PATTERN)) {
            throw new KerberosException(
                    "The principal of the NameNode is not known (%s). Set hadoop.%s, such as nn/_HOST@EXAMPLE.COM, or %s."
                            .formatted(NAMENODE, NAMENODE, FILES),
                    null);
        }
    }

    private static boolean isSet(Configuration hadoop, String name) {
        return !hadoop.getTrimmed(name, "").isEmpty() && !HdfsJournalStorage.isHadoopsDefault(hadoop, name);
    }

    private static AuthenticationMethod authentication(Configuration hadoop) throws KerberosException {
        try {
            return SecurityUtil.getAuthenticationMethod(hadoop);
        } catch (IllegalArgumentException e) {
            throw new KerberosException(
                    "%s must be simple or kerberos, not '%s'. Correct core-site.xml or hadoop.%s."
                            .formatted(AUTHENTICATION, hadoop.get(AUTHENTICATION), AUTHENTICATION),
                    e);
        }
    }

    /** What HDFS has refused, with the next step for the operator. */
    static IOException refused(StorageConfig config, Configuration hadoop, Exception failure) {
        String reason = StorageFailures.reason(failure);
        String nextStep = nextStep(config, hadoop, reason);
        return nextStep == null
                ? HdfsJournalStorage.unreachable(config, reason, failure)
                : new IOException(
                        "Cannot use the storage %s (%s). %s".formatted(config.root(), reason, nextStep), failure);
    }

    private static @Nullable String nextStep(StorageConfig config, Configuration hadoop, String reason) {
        if (reason.contains("SIMPLE authentication is not enabled")) {
            return "This HDFS demands Kerberos: %s, and set storage.kerberos.principal and storage.kerberos.keytab."
                    .formatted(FILES);
        }
        if (reason.contains("fall back to SIMPLE")) {
            return ("This HDFS has no Kerberos: remove storage.kerberos.* and %s=kerberos, or name another HDFS in "
                            + "storage.root.")
                    .formatted(AUTHENTICATION);
        }
        if (reason.contains("Server has invalid Kerberos principal") || reason.contains("(7)")) {
            return "Correct hadoop.%s (%s): it must be the principal of this NameNode."
                    .formatted(NAMENODE, hadoop.get(NAMENODE, ""));
        }
        if (reason.contains("GSS initiate failed")) {
            return "The NameNode does not accept the ticket, and its log says why. Compare the clocks of both hosts first.";
        }
        if (reason.toLowerCase(Locale.ROOT).contains("safe mode")) {
            return "The NameNode is in safe mode, in which nothing can be written. It leaves it when enough DataNodes have reported "
                    + "their blocks: start them (hdfs dfsadmin -report). If an administrator entered it: hdfs dfsadmin -safemode leave.";
        }
        if (reason.contains("Permission denied")) {
            String path = config.root().getPath();
            return ("As the superuser of HDFS, make the directory and give it to the user that is named there: hdfs dfs "
                            + "-mkdir -p %s; hdfs dfs -chown USER %s; hdfs dfs -chmod 700 %s.")
                    .formatted(path, path, path);
        }
        return null;
    }
}
