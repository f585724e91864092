package io.talosgateway.doctor;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.common.net.HostAndPort;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperProbe.Cluster;
import io.talosgateway.rest.http.tls.TlsConfig;
import org.jspecify.annotations.Nullable;

/** The ports that the gateway listens at, whether it runs by now or not, and the address that other hosts are told. */
final class PortsCheck implements DoctorCheck {

    private final GatewayConfig config;
    private final FoundCluster view;

    private record Port(String setting, String host, int number) {

        String text() {
            return "%s:%d (%s)".formatted(host, number, setting);
        }
    }

    PortsCheck(GatewayConfig config, FoundCluster view) {
        this.config = config;
        this.view = view;
    }

    @Override
    public String name() {
        return "ports";
    }

    @Override
    public void run(Findings findings) throws IOException, InterruptedException {
        HostInfo self = self();
        boolean running = (config.isAlone() || !view.isKnown() || isHere(self)) && OpsPort.answers(config.ops());
        int free = 0;
        for (Port port : ports()) {
            free += look(port, running, findings) ? 1 : 0;
        }
        if (self != null && free > 0 && !running) {
            findings.warn(
                    "ZooKeeper knows a host of the name %s, at %s, but it does not listen here."
                            .formatted(config.hosting().hostName(), self.peerAddress()),
                    "If it was stopped just now, wait for zookeeper.session-timeout; otherwise give this host another host.name.");
        }
        if (!config.isAlone()) {
            lookAtPeerAddress(findings);
        }
    }

    private List<Port> ports() {
        List<Port> ports = new ArrayList<>();
        if (config.http().enabled()) {
            ports.add(new Port("http.port", config.http().host(), config.http().port()));
        }
        TlsConfig tls = config.tls();
        if (tls != null) {
            ports.add(new Port("tls.port", config.http().host(), tls.port()));
        }
        ports.add(new Port(
                "ops.port", config.ops().listen().host(), config.ops().listen().port()));
        if (!config.isAlone()) {
            ports.add(new Port("peer.port", config.peer().host(), config.peer().port()));
        }
        return ports;
    }

    private @Nullable HostInfo self() {
        Cluster cluster = view.cluster();
        return cluster == null ? null : cluster.hosts().get(config.hosting().hostName());
    }

    /** Whether the host of this name says that it is reached at the port that is configured here. */
    private boolean isHere(@Nullable HostInfo self) {
        return self != null
                && (config.peer().port() == 0
                        || config.cluster().advertise() != null
                        || self.peerAddress().endsWith(":" + config.peer().port()));
    }

    /** Whether it is free. */
    private static boolean look(Port port, boolean running, Findings findings) {
        try {
            if (!Addresses.isOfThisMachine(port.host)) {
                findings.fail(
                        "%s is not an address of this machine.".formatted(port.text()),
                        "Name one of its addresses (ip address), or 0.0.0.0 for all of them.");
                return false;
            }
            String taken = port.number == 0 ? null : Addresses.whyTaken(port.host, port.number);
            if (taken == null) {
                findings.ok("%s is free.".formatted(port.text()));
                return true;
            } else if (running) {
                findings.ok("%s is held by the gateway, which runs.".formatted(port.text()));
            } else {
                findings.fail(
                        "%s cannot be used (%s), and no gateway of this configuration runs."
                                .formatted(port.text(), taken),
                        "Stop the program that uses it (ss -ltnp 'sport = :%d'), or choose another port."
                                .formatted(port.number));
            }
        } catch (UnknownHostException e) {
            findings.fail(
                    "%s: there is no address for that name.".formatted(port.text()),
                    "Correct the name, or add it to the DNS or /etc/hosts.");
        } catch (IOException e) {
            findings.fail(e);
        }
        return false;
    }

    private void lookAtPeerAddress(Findings findings) {
        String advertised = config.cluster().advertise();
        String told = advertised == null
                ? config.peer().host()
                : HostAndPort.fromString(advertised).getHost();
        Cluster cluster = view.cluster();
        Map<String, HostInfo> hosts = cluster == null ? Map.of() : cluster.hosts();
        boolean elsewhere = hosts.values().stream()
                .filter(host -> !host.name().equals(config.hosting().hostName()))
                .anyMatch(host -> !Addresses.isLoopback(
                        HostAndPort.fromString(host.peerAddress()).getHost()));
        long others = hosts.keySet().stream()
                .filter(name -> !name.equals(config.hosting().hostName()))
                .count();
        if (Addresses.isLoopback(told) && elsewhere) {
            findings.fail(
                    "Other hosts are told to reach this one at %s, which is themselves.".formatted(told),
                    "Set peer.host (or peer.advertise) to an address that other hosts reach.");
        } else if (Addresses.isLoopback(told) && others == 0) {
            findings.warn(
                    "Hosts on other machines cannot reach this one at %s.".formatted(told),
                    "Set peer.host to an address that other hosts reach, unless all hosts are on this machine.");
        } else {
            findings.ok("Other hosts are told to reach this one at %s.".formatted(told));
        }
    }
}
