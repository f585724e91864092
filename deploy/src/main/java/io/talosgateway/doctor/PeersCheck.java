package io.talosgateway.doctor;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperProbe.Cluster;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.forwarding.thrift.HostProbe;
import io.talosgateway.rest.hostprotocol.ClusterSecret;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.rest.tls.CertificateMetrics;
import io.talosgateway.rest.tls.HostTls;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** The other hosts of the cluster: whether they can be reached, know the same secret, and have the same time. */
final class PeersCheck implements DoctorCheck {

    private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(5);
    private static final long DATE_STEP_MS = 1_000;

    private final GatewayConfig config;
    private final FoundCluster view;
    private final NanoClock clock;
    private final InstantSource wallClock;

    PeersCheck(GatewayConfig config, FoundCluster view, NanoClock clock, InstantSource wallClock) {
        this.config = config;
        this.view = view;
        this.clock = clock;
        this.wallClock = wallClock;
    }

    @Override
    public String name() {
        return "peers";
    }

    @Override
    public void run(Findings findings) throws IOException, InterruptedException {
        if (config.isAlone()) {
            findings.ok("This gateway stands alone.");
            return;
        }
        if (!view.isKnown()) {
            findings.warn("Not checked: only ZooKeeper knows the other hosts.", "Repair ZooKeeper first.");
            return;
        }
        Cluster cluster = view.cluster();
        List<HostInfo> others = cluster == null
                ? List.of()
                : cluster.hosts().values().stream()
                        .filter(host -> !host.name().equals(config.hosting().hostName()))
                        .toList();
        if (cluster == null || others.isEmpty()) {
            findings.ok("No other host is up.");
            return;
        }
        String secret = config.cluster().secret() == null
                ? cluster.secret()
                : config.cluster().secret();
        if (secret == null) {
            findings.fail(
                    "This cluster has a peer.secret, but this host has none.",
                    "Give this host the peer.secret of the others.");
            return;
        }
        HostInfo self = cluster.hosts().get(config.hosting().hostName());
        HostTls tls = tls();
        try (HostProbe probe = new HostProbe(
                config.forward(),
                new HostIdentity(cluster.id(), config.hosting().hostName(), new ClusterSecret(secret)),
                self == null ? 0 : self.incarnation(),
                tls == null ? null : tls::connecting,
                clock)) {
            for (HostInfo host : others) {
                greet(probe, host, findings);
                compareClocks(host, findings);
            }
        } finally {
            if (tls != null) {
                tls.close();
            }
        }
    }

    private @Nullable HostTls tls() throws IOException {
        HostTls.Config tls = config.cluster().tls();
        return tls == null
                ? null
                : new HostTls(tls, wallClock, new CertificateMetrics(new CollectorRegistry(), "doctor"));
    }

    private static void greet(HostProbe probe, HostInfo host, Findings findings) throws InterruptedException {
        String refusal = probe.greet(new Peer(host.name(), host.incarnation(), host.peerAddress()));
        if (refusal == null) {
            findings.ok("Host %s answers at %s, speaks the same version, and knows the same secret."
                    .formatted(host.name(), host.peerAddress()));
        } else {
            findings.fail(
                    "Host %s at %s: %s.".formatted(host.name(), host.peerAddress(), refusal),
                    "Look whether it runs, whether a firewall is between, and whether peer.secret, peer.tls and the release are the "
                            + "same there. Its log names the reason, too.");
        }
    }

    /** Over plain HTTP, where no certificate can be in the way. */
    private void compareClocks(HostInfo host, Findings findings) throws InterruptedException {
        if (host.endpoint().startsWith("https:")) {
            return;
        }
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + host.endpoint() + "/"))
                    .timeout(HTTP_TIMEOUT)
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build();
            HttpClient client =
                    HttpClient.newBuilder().connectTimeout(HTTP_TIMEOUT).build();
            long before = wallClock.millis();
            HttpResponse<Void> answer = client.send(request, HttpResponse.BodyHandlers.discarding());
            long after = wallClock.millis();
            String date = answer.headers().firstValue("Date").orElse("");
            long atMs = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()
                    .toEpochMilli();
            ClockOffset.of(before, atMs, DATE_STEP_MS, after).tell("the clock of host " + host.name(), findings);
        } catch (IOException | DateTimeException | IllegalArgumentException e) {
            findings.warn(
                    "The clock of host %s is not known, as %s gives no date (%s)."
                            .formatted(host.name(), host.endpoint(), e),
                    "Compare it by hand: date -u at both hosts.");
        }
    }
}
