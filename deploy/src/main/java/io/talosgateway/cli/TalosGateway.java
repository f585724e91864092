package io.talosgateway.cli;

import java.io.IOException;
import java.util.List;

import io.talosgateway.client.GatewayClientException;
import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.QuickExit;
import io.talosgateway.rest.bootstrap.ConfigException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code talos-gateway}. */
@Command(
        name = "talos-gateway",
        description = "A durable message queue over HTTP, which Talos SDKs can use unchanged.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = CommandLines.JarVersion.class,
        footer = {
            "",
            "First steps:",
            "  talos-gateway server                    runs a gateway; at its first start it makes a key",
            "  talos-gateway topic create demo         in another terminal",
            "  talos-gateway put demo hello world",
            "  talos-gateway get demo"
        })
public final class TalosGateway {

    private static final List<Class<?>> SUBCOMMANDS = List.of(
            ServerCommand.class,
            HealthCommand.class,
            DoctorCommand.class,
            KeyCommand.class,
            TopicCommand.class,
            GroupCommand.class,
            QuotaCommand.class,
            PutCommand.class,
            GetCommand.class);

    private TalosGateway() {}

    public static void main(String[] arguments) {
        QuickExit.exit(commandLine(arguments).execute(arguments));
    }

    /**
     * The command, to be executed once with these arguments. If they begin with the name of a subcommand, it has that one only:
     * reading the options of all of them would take longer than most commands take.
     */
    public static CommandLine commandLine(String... arguments) {
        CommandSpec spec = CommandSpec.forAnnotatedObject(new TalosGateway());
        List<Class<?>> named = SUBCOMMANDS.stream()
                .filter(type -> arguments.length > 0 && name(type).equals(arguments[0]))
                .toList();
        (named.isEmpty() ? SUBCOMMANDS : named)
                .forEach(type -> spec.addSubcommand(name(type), CommandSpec.forAnnotatedObject(type)));
        return CommandLines.of(spec, TalosGateway::isExpected);
    }

    private static String name(Class<?> subcommand) {
        return subcommand.getAnnotation(Command.class).name();
    }

    private static boolean isExpected(Exception e) {
        return e instanceof CommandFailure
                || e instanceof ConfigException
                || e instanceof GatewayClientException
                || e instanceof IOException;
    }
}
