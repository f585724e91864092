package io.talosgateway.loadgen.cli;

import java.lang.ref.Reference;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class QuickExitTest {

    /** In a group of threads of its own, so that nothing happens to those of other tests. */
    @Test
    void httpClientsEndWithTheCommand() throws Exception {
        ThreadGroup group = new ThreadGroup("command");
        List<Integer> alive = Collections.synchronizedList(new ArrayList<>());
        Thread command = new Thread(group, () -> {
            HttpClient client = HttpClient.newHttpClient();
            try {
                alive.add(group.activeCount());
                QuickExit.endHttpClients();
                // As long as the thread of the client ends at all.
                while (group.activeCount() > 1) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                alive.add(group.activeCount());
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                Reference.reachabilityFence(client);
            }
        });

        command.start();
        command.join();

        assertThat(alive).containsExactly(2, 1);
    }
}
