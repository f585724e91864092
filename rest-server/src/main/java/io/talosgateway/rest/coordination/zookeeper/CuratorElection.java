package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;

import io.talosgateway.rest.coordination.Election;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Curator's leader latch. */
final class CuratorElection implements Election {

    private static final Logger log = LoggerFactory.getLogger(CuratorElection.class);

    private final CuratorFramework client;
    private final String path;
    private volatile Runnable listener = () -> {};
    private volatile @Nullable LeaderLatch latch;

    CuratorElection(CuratorFramework client, String root) {
        this.client = client;
        this.path = root + "/controller";
    }

    @Override
    public void stand(String host) {
        LeaderLatch candidate = new LeaderLatch(client, path, host);
        candidate.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                log.info("This host is the controller now");
                listener.run();
            }

            @Override
            public void notLeader() {
                log.info("This host is not the controller any more");
            }
        });
        try {
            candidate.start();
        } catch (Exception e) {
            throw ZooKeeperErrors.unavailable(e);
        }
        latch = candidate;
    }

    @Override
    public boolean isElected() {
        LeaderLatch current = latch;
        return current != null && current.hasLeadership();
    }

    @Override
    public void onElected(Runnable newListener) {
        listener = newListener;
    }

    @Override
    public void withdraw() {
        LeaderLatch current = latch;
        latch = null;
        if (current != null) {
            try {
                current.close();
            } catch (IOException | IllegalStateException e) {
                log.debug("Withdrawing from the election failed; the session's end does it", e);
            }
        }
    }
}
