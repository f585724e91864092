package io.talosgateway.loadgen;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command {@code talos-loadgen}. */
@Command(
        name = "talos-loadgen",
        description = "Puts load on a Talos Gateway and measures how it answers.",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Loadgen.Version.class,
        subcommands = RunCommand.class,
        footer = {
            "",
            "First steps, with a gateway that runs on this host:",
            "  talos-loadgen run --key-file data/keys.json",
            "  talos-loadgen run --help"
        })
public final class Loadgen {

    /** Prints the version of the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Loadgen.class.getPackage().getImplementationVersion();
            return new String[] {"talos-loadgen " + (version == null ? "(not packaged)" : version)};
        }
    }

    private Loadgen() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Loadgen())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(Loadgen::wrongUsage)
                .setExecutionExceptionHandler(Loadgen::failed);
    }

    private static int wrongUsage(CommandLine.ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        command.getErr().println("talos-loadgen: " + e.getMessage());
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
            command.getErr()
                    .println("'%s --help' shows what there is."
                            .formatted(command.getCommandSpec().qualifiedName()));
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int failed(Exception e, CommandLine command, CommandLine.ParseResult parsed) throws Exception {
        if (e instanceof LoadFailure) {
            command.getErr().println("talos-loadgen: " + e.getMessage());
            return command.getCommandSpec().exitCodeOnExecutionException();
        }
        throw e;
    }
}
