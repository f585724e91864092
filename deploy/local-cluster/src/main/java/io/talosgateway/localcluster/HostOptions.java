package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Parameters;

/** What the commands for one host have. */
final class HostOptions extends ClusterOptions {

    @Parameters(
            index = "0",
            paramLabel = "HOST",
            description =
                    "gateway-1, gateway-2, ..., datanode-1, ..., namenode or zookeeper; for 'kill' and 'start', all.")
    private String name = "";

    /** The host that was named, among the others of its cluster. */
    record Target(ClusterHosts hosts, Host host) {

        /** @throws ClusterFailure if it is down */
        HostProcess process() throws IOException {
            HostProcess process = hosts.process(host);
            if (process == null) {
                throw new ClusterFailure("%s is down; 'start %s' starts it".formatted(host, host));
            }
            return process;
        }

        void send(HostProcess process, HostProcess.Signal signal, String event)
                throws IOException, InterruptedException {
            hosts.note(host, event);
            if (!process.send(signal)) {
                throw new ClusterFailure("%s ended by itself just now; 'start %s' starts it".formatted(host, host));
            }
        }
    }

    boolean isAll() {
        return name.equals("all");
    }

    /** @throws ClusterFailure if there is no cluster, or no such host in it */
    Target target() throws IOException {
        ClusterHosts hosts = hosts();
        if (isAll()) {
            throw new ClusterFailure(
                    "'%s' is for one host at a time".formatted(command().name()));
        }
        return new Target(hosts, hosts.cluster().shape().host(name));
    }
}
