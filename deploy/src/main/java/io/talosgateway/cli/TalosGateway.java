package io.talosgateway.cli;

import java.io.IOException;

import io.talosgateway.client.GatewayClientException;
import io.talosgateway.rest.bootstrap.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command {@code talos-gateway}. */
@Command(
        name = "talos-gateway",
        description = "A durable message queue over HTTP, which Talos SDKs can use unchanged.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = TalosGateway.Version.class,
        subcommands = {
            ServerCommand.class,
            HealthCommand.class,
            KeyCommand.class,
            TopicCommand.class,
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

    /** Prints the version of the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = TalosGateway.class.getPackage().getImplementationVersion();
            return new String[] {"talos-gateway " + (version == null ? "(not packaged)" : version)};
        }
    }

    private TalosGateway() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new TalosGateway())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(TalosGateway::wrongUsage)
                .setExecutionExceptionHandler(TalosGateway::failed);
    }

    private static int wrongUsage(CommandLine.ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        command.getErr().println("talos-gateway: " + e.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
            command.getErr()
                    .println("'%s --help' shows what there is."
                            .formatted(command.getCommandSpec().qualifiedName()));
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (e instanceof CommandFailure
                || e instanceof ConfigException
                || e instanceof GatewayClientException
                || e instanceof IOException) {
            command.getErr().println("talos-gateway: " + e.getMessage());
            return command.getCommandSpec().exitCodeOnExecutionException();
        }
        throw e;
    }
}
