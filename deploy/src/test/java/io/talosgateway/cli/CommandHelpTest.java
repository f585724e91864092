package io.talosgateway.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
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
}
