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

    boolean isAll() {
        return name.equals("all");
    }

    /** @throws ClusterFailure if there is no cluster, or no such host in it */
    Host host() throws IOException {
        ClusterHosts hosts = hosts();
        if (isAll()) {
            throw new ClusterFailure(
                    "'%s' is for one host at a time".formatted(command().name()));
        }
        return hosts.cluster().shape().host(name);
    }

    /** @throws ClusterFailure if the host is down */
    HostProcess process() throws IOException {
        HostProcess process = hosts().process(host());
        if (process == null) {
            throw new ClusterFailure("%s is down; 'start %s' starts it".formatted(name, name));
        }
        return process;
    }

    /** Sends a signal to the process of the host, and notes what the command does. */
    void send(HostProcess process, HostProcess.Signal signal) throws IOException, InterruptedException {
        note(command().name());
        if (!process.send(signal)) {
            throw new ClusterFailure("%s ended by itself just now; 'start %s' starts it".formatted(name, name));
        }
    }

    void note(String event) throws IOException {
        hosts().note(host(), event);
    }
}
