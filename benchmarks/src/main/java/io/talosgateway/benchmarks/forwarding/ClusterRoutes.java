package io.talosgateway.benchmarks.forwarding;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;

import com.google.common.base.Splitter;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Partition;
import io.talosgateway.client.RetryPolicy;

/** A new topic of a local cluster, and who owns which of its partitions. */
final class ClusterRoutes {

    private final Path folder;
    private final String script;
    private final String topic;
    private final Map<String, GatewayClient> clients;
    /** Owner of each partition. */
    private final List<String> owners;

    private ClusterRoutes(
            Path folder, String script, String topic, Map<String, GatewayClient> clients, List<String> owners) {
        this.folder = folder;
        this.script = script;
        this.topic = topic;
        this.clients = clients;
        this.owners = owners;
    }

    static ClusterRoutes of(Path folder, int partitions) throws IOException, ExecutionException, InterruptedException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(folder.resolve("cluster.properties"))) {
            properties.load(reader);
        }
        Map<String, GatewayClient> clients = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        for (String gateway : Splitter.on(',').split(properties.getProperty("gateways"))) {
            URI endpoint = URI.create(properties.getProperty(gateway + ".endpoint"));
            names.put(endpoint.getAuthority(), gateway);
            clients.put(
                    gateway,
                    GatewayClient.builder(endpoint)
                            .key(properties.getProperty("access.key-id"), properties.getProperty("access.secret"))
                            .retries(RetryPolicy.NONE)
                            .build());
        }
        String topic = "forwarding-" + System.currentTimeMillis();
        GatewayClient any = clients.values().iterator().next();
        any.createTopic(new NewTopic(topic, partitions)).get();
        List<String> owners = new ArrayList<>();
        for (Partition partition : any.partitions(topic).get()) {
            String owner = names.get(String.valueOf(partition.owner()));
            if (owner == null) {
                throw new IOException("partition " + partition.partition() + " has no owner");
            }
            owners.add(owner);
        }
        return new ClusterRoutes(folder, properties.getProperty("cluster.script"), topic, clients, owners);
    }

    private PutTurn.Route route(int partition, String host) {
        GatewayClient client = clients.get(host);
        if (client == null) {
            throw new IllegalArgumentException("there is no gateway " + host + ", only " + clients.keySet());
        }
        return new PutTurn.Route(topic, partition, client);
    }

    /** A gateway that is not the partition's owner, nor the one to avoid. */
    private String other(int partition, String avoided) {
        List<String> hosts = clients.keySet().stream()
                .filter(host -> !host.equals(owners.get(partition)) && !host.equals(avoided))
                .toList();
        return hosts.get(partition % hosts.size());
    }

    List<PutTurn.Route> toOwners() {
        List<PutTurn.Route> routes = new ArrayList<>();
        for (int partition = 0; partition < owners.size(); partition++) {
            routes.add(route(partition, owners.get(partition)));
        }
        return routes;
    }

    List<PutTurn.Route> toOthers() {
        List<PutTurn.Route> routes = new ArrayList<>();
        for (int partition = 0; partition < owners.size(); partition++) {
            routes.add(route(partition, other(partition, "")));
        }
        return routes;
    }

    /** Handed on, but neither by nor to this host. */
    List<PutTurn.Route> without(String host) {
        List<PutTurn.Route> routes = new ArrayList<>();
        for (int partition = 0; partition < owners.size(); partition++) {
            if (!owners.get(partition).equals(host)) {
                routes.add(route(partition, other(partition, host)));
            }
        }
        return routes;
    }

    /** Handed on to this host. */
    List<PutTurn.Route> toOwnedBy(String host) {
        List<PutTurn.Route> routes = new ArrayList<>();
        for (int partition = 0; partition < owners.size(); partition++) {
            if (owners.get(partition).equals(host)) {
                routes.add(route(partition, other(partition, host)));
            }
        }
        return routes;
    }

    void pause(String host) throws IOException, InterruptedException {
        tell("pause", host);
    }

    void resume(String host) throws IOException, InterruptedException {
        tell("resume", host);
    }

    private void tell(String command, String host) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(script, command, host, "--dir", folder.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (process.waitFor() != 0) {
            throw new IOException(command + " " + host + " failed");
        }
    }
}
