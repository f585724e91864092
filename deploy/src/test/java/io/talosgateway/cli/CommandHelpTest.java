package io.talosgateway.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.ref.Reference;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

final class CommandHelpTest {

    private static void addAll(List<CommandLine> all, CommandLine command) {
        all.add(command);
        command.getSubcommands().values().forEach(one -> addAll(all, one));
    }

    @Test
    void everyCommandHasHelp() {
        List<CommandLine> all = new ArrayList<>();
        addAll(all, TalosGateway.commandLine());

        assertThat(all)
                .extracting(command -> command.getCommandSpec().qualifiedName())
                .contains("talos-gateway", "talos-gateway server", "talos-gateway key rotate", "talos-gateway get")
                .hasSizeGreaterThanOrEqualTo(18);
        for (CommandLine command : all) {
            StringWriter help = new StringWriter();

            assertThat(command.setOut(new PrintWriter(help, true)).execute("--help"))
                    .isZero();
            assertThat(help.toString())
                    .startsWith("Usage: " + command.getCommandSpec().qualifiedName())
                    .contains("-h, --help");
        }
    }

    @Test
    void commandLineHasTheCommandThatIsNamed() {
        assertThat(TalosGateway.commandLine("topic", "list").getSubcommands()).containsOnlyKeys("topic");
        assertThat(TalosGateway.commandLine("topci", "list").getSubcommands()).containsKeys("topic", "server", "get");
    }

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
                alive.add(group.activeCount());
            } finally {
                Reference.reachabilityFence(client);
            }
        });

        command.start();
        command.join();

        assertThat(alive).containsExactly(2, 1);
    }
}
