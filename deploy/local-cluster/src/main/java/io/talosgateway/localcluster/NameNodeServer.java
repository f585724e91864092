package io.talosgateway.localcluster;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;

import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.shaded.org.glassfish.jersey.server.internal.scanning.PackageNamesScanner;
import org.apache.hadoop.shaded.org.glassfish.jersey.server.internal.scanning.PackageNamesScanner.ResourcesProvider;

/**
 * Runs a NameNode with the configuration on the class path; formats its directory before the first time. Hadoop's own main
 * method needs log4j.
 */
public final class NameNodeServer {

    /** WebHDFS looks for its classes in all of each jar, a second of processor time: here, they are in a folder. */
    private static final ResourcesProvider ONLY_FOLDERS = new ResourcesProvider() {
        @Override
        public Enumeration<URL> getResources(String name, ClassLoader loader) throws IOException {
            return Collections.enumeration(Collections.list(loader.getResources(name)).stream()
                    .filter(found -> found.getProtocol().equals("file"))
                    .toList());
        }
    };

    private NameNodeServer() {}

    public static void main(String[] arguments) throws Exception {
        PackageNamesScanner.setResourcesProvider(ONLY_FOLDERS);
        HdfsConfiguration configuration = new HdfsConfiguration();
        Path directory = Path.of(URI.create(configuration.getTrimmed("dfs.namenode.name.dir")));
        if (!Files.exists(directory.resolve("current/VERSION"))) {
            // Formatting registers metrics, which the start does again.
            DefaultMetricsSystem.setMiniClusterMode(true);
            NameNode.format(configuration);
        }
        NameNode nameNode = NameNode.createNameNode(arguments, configuration);
        Runtime.getRuntime().addShutdownHook(new Thread(nameNode::stop, "shutdown"));
        nameNode.join();
    }
}
