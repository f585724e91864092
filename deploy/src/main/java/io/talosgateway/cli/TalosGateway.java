package io.talosgateway.cli;

import java.io.IOException;

import io.talosgateway.client.GatewayClientException;
import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.rest.bootstrap.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code talos-gateway}. */
@Command(
        name = "talos-gateway",
        description = "A durable message queue over HTTP, which Talos SDKs can use unchanged.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = CommandLines.JarVersion.class,
        subcommands = {
            ServerCommand.class,
            HealthCommand.class,
            DoctorCommand.class,
            KeyCommand.class,
            TopicCommand.class,
            GroupCommand.class,
            QuotaCommand.class,
            PutCommand.class,
            GetCommand.class
        },
        footer = {
            "",
            "First steps:",
            "  talos-gateway server                    runs a gateway; at its first start it makes a key",
            "  talos-gateway topic create demo         in another terminal",
            "  talos-gateway put demo hello world",
            "  talos-gateway get demo"
        })
public final class TalosGateway {

    private TalosGateway() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    /** The command, to be executed once. */
    public static CommandLine commandLine() {
        return CommandLines.of(new TalosGateway(), TalosGateway::isExpected);
    }

    private static boolean isExpected(Exception e) {
        return e instanceof CommandFailure
                || e instanceof ConfigException
                || e instanceof GatewayClientException
                || e instanceof IOException;
    }
}
