package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The programs that were built, and the script that started this command.
 *
 * @param script absolute path
 * @param hosts {@code conf} and {@code lib} with what HDFS needs beyond a gateway's libraries
 * @param gateway the distribution
 * @param defaultFolder where the cluster is, unless {@code --dir} says otherwise
 */
record Installation(String script, Path hosts, Path gateway, Path defaultFolder) {

    static Installation fromSystemProperties() {
        return new Installation(
                property("script"),
                Path.of(property("programs")),
                Path.of(property("gateway")),
                Path.of(property("directory")));
    }

    private static String property(String name) {
        String key = "talos.local-cluster." + name;
        String value = System.getProperty(key);
        if (value == null) {
            throw new ClusterFailure("Start me by local-cluster.sh: it sets " + key);
        }
        return value;
    }

    /** Copies the programs: a build would else take away the jars of the processes that run. */
    void copyTo(Path programs) throws IOException {
        Trees.delete(programs);
        Files.createDirectories(programs);
        Trees.copy(hosts, hostsIn(programs));
        Trees.copy(gateway, gatewayIn(programs));
    }

    static Path hostsIn(Path programs) {
        return programs.resolve("hosts");
    }

    static Path gatewayIn(Path programs) {
        return programs.resolve("talos-gateway");
    }
}
