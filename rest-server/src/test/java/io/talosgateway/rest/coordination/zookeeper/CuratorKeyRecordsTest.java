package io.talosgateway.rest.coordination.zookeeper;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.coordination.KeyRecords.Known;
import io.talosgateway.rest.coordination.KeyRecords.Sealed;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is known of keys, as news of them come in. Nothing is asked of ZooKeeper. */
final class CuratorKeyRecordsTest {

    private final CuratorFramework client = CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1));
    private final CuratorKeyRecords records = new CuratorKeyRecords(client, "/talos", true);
    private final List<String> told = new ArrayList<>();

    CuratorKeyRecordsTest() {
        records.onChange(told::add);
    }

    private void learn(String content, int version, long zxid) {
        Stat stat = new Stat();
        stat.setVersion(version);
        stat.setMzxid(zxid);
        records.learn("key", RecordJson.write(new CuratorKeyRecords.KeyJson("secret", content)), stat);
    }

    /** The watch may have come first, and those who listen may be just about to look: a caller relies on them afterwards. */
    @Test
    void listenersAreToldOfAChangeByEachWhoLearnsOfIt() {
        learn("a", 0, 7);
        learn("a", 0, 7);

        assertThat(told).containsExactly("key", "key");
    }

    @Test
    void newestVersionStays() {
        learn("b", 1, 8);
        learn("a", 0, 7);

        assertThat(records.find("key")).isEqualTo(new Known(new Sealed("secret", "b"), null, 1));
    }
}
