package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

import io.talosgateway.rest.HeldPort;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.shaded.org.glassfish.jersey.server.internal.scanning.PackageNamesScanner;
import org.apache.hadoop.shaded.org.glassfish.jersey.server.internal.scanning.PackageNamesScanner.ResourcesProvider;
import org.apache.kerby.kerberos.kerb.KrbException;

/** A real NameNode and DataNodes on loopback, in this process. */
public final class HdfsCluster implements AutoCloseable {

    /** No test uses WebHDFS. To find its classes, each NameNode would read two jars to their ends, 200 MB. */
    private static final ResourcesProvider NO_WEB_HDFS = new ResourcesProvider() {
        @Override
        public Enumeration<URL> getResources(String name, ClassLoader loader) {
            return Collections.emptyEnumeration();
        }
    };

    private static final long BLOCK_RECOVERY_TIMEOUT_MS = 5_000;

    private final MiniDFSCluster cluster;
    /** Of the NameNode, also while it is restarted: clients know it by this port. */
    private final HeldPort port;

    private final boolean secure;

    private HdfsCluster(MiniDFSCluster cluster, HeldPort port, boolean secure) {
        this.cluster = cluster;
        this.port = port;
        this.secure = secure;
    }

    public static HdfsCluster start(Path directory, int dataNodes) throws IOException {
        return start(directory, dataNodes, new Configuration(), false);
    }

    /**
     * One that demands Kerberos of everybody, and encrypts what DataNodes are sent. Hadoop authenticates in one way in each process:
     * until it is closed, all of this process is on Kerberos, and logged in as the superuser of HDFS unless it says otherwise.
     */
    public static HdfsCluster startSecure(Path directory, int dataNodes, Kdc kdc) throws IOException, KrbException {
        String keytab = kdc.keytab("hdfs", "hdfs/localhost", "HTTP/localhost").toString();
        Configuration configuration = new Configuration();
        configuration.set("hadoop.security.authentication", "kerberos");
        configuration.set("dfs.block.access.token.enable", "true");
        configuration.set("dfs.data.transfer.protection", "privacy");
        for (String daemon : List.of("namenode", "datanode")) {
            configuration.set("dfs." + daemon + ".kerberos.principal", PRINCIPAL);
            configuration.set("dfs." + daemon + ".keytab.file", keytab);
        }
        configuration.set("dfs.web.authentication.kerberos.principal", "HTTP/localhost@" + Kdc.REALM);
        configuration.set("dfs.web.authentication.kerberos.keytab", keytab);
        // Otherwise DataNodes demand privileged ports, or key stores for HTTPS. What they are sent has SASL all the
        // same.
        configuration.set("ignore.secure.ports.for.testing", "true");
        UserGroupInformation.setConfiguration(configuration);
        return start(directory, dataNodes, configuration, true);
    }

    /** Of the NameNode and the DataNodes, if there is Kerberos. */
    public static final String PRINCIPAL = "hdfs/localhost@" + Kdc.REALM;

    private static HdfsCluster start(Path directory, int dataNodes, Configuration configuration, boolean secure)
            throws IOException {
        PackageNamesScanner.setResourcesProvider(NO_WEB_HDFS);
        configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
        configuration.set("dfs.heartbeat.interval", "1");
        configuration.set("dfs.blocksize", String.valueOf(16 << 20));
        // A DataNode hears of a recovery with a heartbeat. The NameNode counts them in whole seconds.
        Configuration oftenHeard = new Configuration(false);
        oftenHeard.set("dfs.heartbeat.interval", "200ms");
        Configuration[] ofDataNodes = new Configuration[dataNodes];
        Arrays.fill(ofDataNodes, oftenHeard);
        HeldPort port = new HeldPort();
        MiniDFSCluster cluster = new MiniDFSCluster.Builder(configuration)
                .nameNodePort(port.number())
                .numDataNodes(dataNodes)
                .dataNodeConfOverlays(ofDataNodes)
                .build();
        cluster.waitActive();
        // A recovery that has failed is tried again after this, and not after half a minute.
        cluster.getNamesystem().getBlockManager().setBlockRecoveryTimeout(BLOCK_RECOVERY_TIMEOUT_MS);
        return new HdfsCluster(cluster, port, secure);
    }

    public String uri() {
        return "hdfs://127.0.0.1:" + cluster.getNameNodePort();
    }

    public MiniDFSCluster mini() {
        return cluster;
    }

    @Override
    public void close() throws IOException {
        cluster.shutdown(true);
        port.close();
        if (secure) {
            // Next time anybody asks, they authenticate as they did before.
            UserGroupInformation.reset();
        }
    }
}
