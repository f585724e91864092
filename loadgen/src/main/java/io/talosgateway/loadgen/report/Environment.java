package io.talosgateway.loadgen.report;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

import com.sun.management.OperatingSystemMXBean;

/**
 * Where the load generator ran.
 *
 * @param version of the load generator; empty if it is not packaged
 * @param memoryMiB of the host
 * @param javaOptions of its JVM
 */
public record Environment(
        String version,
        String host,
        String system,
        int processors,
        long memoryMiB,
        String java,
        long maxHeapMiB,
        List<String> javaOptions) {

    private static final long BYTES_PER_MIB = 1 << 20;

    public static Environment here() {
        String version = Environment.class.getPackage().getImplementationVersion();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new Environment(
                version == null ? "" : version,
                hostName(),
                "%s %s, %s".formatted(system.getName(), system.getVersion(), system.getArch()),
                system.getAvailableProcessors(),
                system.getTotalMemorySize() / BYTES_PER_MIB,
                "%s %s".formatted(System.getProperty("java.vm.name"), System.getProperty("java.vm.version")),
                Runtime.getRuntime().maxMemory() / BYTES_PER_MIB,
                List.copyOf(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
