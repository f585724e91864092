package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.scheduler.SteppedTime;

/** Hosts with one topic, in which nothing goes wrong but what the test does, step by step. */
final class SimulatedCluster {

    /** Partitions of a host that is gone are another's at once. */
    static final PlacementConfig AT_ONCE = new PlacementConfig(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private static final int STEP_MS = 50;

    final Random random = new Random(1);
    final SteppedTime time = new SteppedTime();
    final SimulatedZooKeeper zooKeeper = new SimulatedZooKeeper(random, time);
    final SimulatedHdfs hdfs = new SimulatedHdfs(random);
    /** Those whose processes run. */
    final List<SimulatedHost> hosts = new ArrayList<>();

    private final PlacementConfig placement;

    SimulatedCluster(TopicMetadata topic, PlacementConfig placement) {
        this.placement = placement;
        zooKeeper.topics.add(topic);
    }

    static TopicMetadata topic(int partitions, Duration retention) {
        return topic(new TopicId(1, 2), partitions, retention);
    }

    static TopicMetadata topic(TopicId id, int partitions, Duration retention) {
        return new TopicMetadata(
                new TopicName("t" + id), id, "owner", partitions, retention, Map.of(), Map.of(), Quota.UNLIMITED, 0);
    }

    SimulatedHost start(String name) {
        SimulatedHost host = new SimulatedHost(
                name, zooKeeper.new Client(), hdfs.new View(), time, Duration.ZERO, placement, this::reach);
        hosts.add(host);
        return host;
    }

    private PartitionService reach(Peer host) {
        return hosts.stream()
                .filter(one -> one.name.equals(host.host()) && one.hosting.incarnationNumber() == host.incarnation())
                .findAny()
                .orElseThrow(() -> new GatewayException(ErrorCode.PARTITION_NOT_SERVING, host + " is gone"))
                .partitions;
    }

    /** Time passes, and every host that is not paused does what there is to do. */
    void pass(long ms) {
        for (long passed = 0; passed < ms; passed += STEP_MS) {
            time.advance(Duration.ofMillis(STEP_MS));
            hosts.stream().filter(host -> !host.paused).forEach(this::work);
        }
    }

    private void work(SimulatedHost host) {
        host.zooKeeper.deliver();
        host.controller.decide();
        host.threads.drain(random);
    }

    /** The host's session ends with its process. */
    void die(SimulatedHost host) {
        hosts.remove(host);
        host.zooKeeper.expire();
    }
}
