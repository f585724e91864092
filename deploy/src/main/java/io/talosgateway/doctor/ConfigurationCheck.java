package io.talosgateway.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.bootstrap.OpenFileLimit;
import io.talosgateway.rest.config.PrivateFiles;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperTls;
import io.talosgateway.rest.http.tls.TlsConfig;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.tls.CertificateFiles;
import io.talosgateway.rest.tls.HostTls;
import io.talosgateway.rest.tls.KeyStoreFile;
import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.topicadmin.TopicLimits;

/** The process and its files: Java, memory, open files, and who can read secrets. */
final class ConfigurationCheck implements DoctorCheck {

    /** Heap of what every host keeps of each topic and each partition, as docs/limits.md has measured. */
    private static final long TOPIC_BYTES = 2_200;

    private static final long PARTITION_BYTES = 2_700;
    private static final long MIB = 1 << 20;

    private final GatewayConfig config;
    private final Map<String, String> values;
    private final List<Path> files;

    ConfigurationCheck(GatewayConfig config, Map<String, String> values, List<Path> files) {
        this.config = config;
        this.values = values;
        this.files = files;
    }

    @Override
    public String name() {
        return "configuration";
    }

    @Override
    public void run(Findings findings) {
        findings.ok(
                "The configuration%s is valid.".formatted(files.isEmpty() ? " of defaults" : " in " + files.get(0)));
        long heap = Runtime.getRuntime().maxMemory();
        findings.ok("Java %s, %d processors, heap of %d MiB."
                .formatted(Runtime.version(), Runtime.getRuntime().availableProcessors(), heap / MIB));
        lookAtHeap(config, heap, findings);
        String fewFiles = OpenFileLimit.warning(config);
        if (fewFiles == null) {
            findings.ok("Files and sockets: the limit of this shell is enough. A service has a limit of its own.");
        } else {
            findings.warn(fewFiles, "Look at the limit of the gateway's service, too: this is that of the shell.");
        }
        secretFiles().forEach((what, file) -> lookAtSecret(what, file, findings));
    }

    static void lookAtHeap(GatewayConfig config, long heap, Findings findings) {
        JournalConfig journal = config.hosting().journal();
        long ofHosts = config.isAlone()
                ? 0
                : config.peer().maxUnanswered().toBytes()
                        + config.forward().maxQueuedSize().toBytes();
        long buffers = config.admission().maxBytesInFlight().toBytes()
                + ofHosts
                + journal.tailCacheSize().toBytes()
                + journal.readAheadCacheSize().toBytes()
                + 2 * journal.indexCacheSize().toBytes();
        if (buffers > heap) {
            findings.warn(
                    "Buffers and caches may take %d MiB, but the heap has %d MiB.".formatted(buffers / MIB, heap / MIB),
                    "Give the server a larger heap (TALOS_SERVER_JAVA_OPTS=-Xmx...), or leave admission.max-bytes-in-flight, "
                            + "peer.max-unanswered-size and journal.*-cache-size to their defaults, which are parts of the heap.");
        }
        TopicLimits limits = config.topics().limits();
        long records = limits.topics() * TOPIC_BYTES + limits.partitions() * PARTITION_BYTES;
        if (records > heap) {
            findings.warn(
                    "%d topics and %d partitions are permitted, which would take about %d MiB of memory, but the heap has %d MiB."
                            .formatted(limits.topics(), limits.partitions(), records / MIB, heap / MIB),
                    "Lower topic.max-topics and topic.max-partitions-total, or give the server a heap of %d MiB (-Xmx)."
                            .formatted(2 * records / MIB + 1));
        }
    }

    /** By what is in them. */
    private Map<String, Path> secretFiles() {
        Map<String, Path> found = new LinkedHashMap<>(GatewayConfig.secretFiles(values));
        Set<String> plain = GatewayConfig.plainSecrets(values);
        if (!plain.isEmpty() && !files.isEmpty()) {
            found.put(String.join(", ", plain), files.get(0));
        }
        found.put("auth.key-file", config.auth().keyFile());
        TlsConfig tls = config.tls();
        if (tls != null) {
            addKey("tls", tls.files(), found);
        }
        HostTls.Config peer = config.cluster().tls();
        if (peer != null) {
            addKey("peer.tls", peer.own(), found);
        }
        ZooKeeperTls zookeeper = config.zookeeper().tls();
        if (zookeeper != null && zookeeper.own() != null) {
            found.put("zookeeper.tls.certificate-and-key", zookeeper.own());
        }
        if (config.storage().kerberos() != null) {
            found.put("storage.kerberos.keytab", config.storage().kerberos().keytab());
        }
        if (config.isAlone() && config.auth().keyEncryptionSecret() == null) {
            found.put("key encryption", config.dataDirectory().resolve("key-encryption.secret"));
        }
        return found;
    }

    private static void addKey(String prefix, CertificateFiles files, Map<String, Path> found) {
        if (files instanceof PemFiles pem) {
            found.put(prefix + " key", pem.key());
        } else if (files instanceof KeyStoreFile store) {
            found.put(prefix + ".key-store", store.file());
        }
    }

    private static void lookAtSecret(String what, Path file, Findings findings) {
        try {
            if (!Files.exists(file)) {
                // The key file and the like are made at the start; whoever needs another says that it is missing.
                return;
            }
            if (!Files.isReadable(file)) {
                findings.fail(
                        "This user cannot read %s (%s).".formatted(file, what),
                        "Run the doctor as the gateway's user; if that is this user: chown it.");
            } else if (PrivateFiles.isOpenToOthers(file)) {
                findings.warn(
                        "Everybody on this machine can read %s, which holds a secret (%s).".formatted(file, what),
                        "chmod 600 " + file + ", and replace the secret if others use this machine.");
            } else {
                findings.ok("%s (%s) is not open to others.".formatted(file, what));
            }
        } catch (IOException e) {
            findings.fail(
                    "The permissions of %s cannot be read (%s).".formatted(file, e),
                    "Run the doctor as the gateway's user.");
        }
    }
}
