package io.talosgateway.loadgen.cli;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** How the project's commands behave at the edges: wrong options, failures that are not bugs, the version. */
public final class CommandLines {

    /** Prints the name of the command and the version of its jar. */
    public static final class JarVersion implements IVersionProvider {

        @Spec
        private CommandSpec spec;

        @Override
        public String[] getVersion() {
            CommandSpec root = spec.root();
            String version = root.userObject().getClass().getPackage().getImplementationVersion();
            return new String[] {root.name() + " " + (version == null ? "(not packaged)" : version)};
        }
    }

    private CommandLines() {}

    /**
     * A command that answers a wrong option with a hint, and whose options may be durations such as {@code 10s}.
     *
     * @param expected which exceptions are told in one line, without a stack trace: they say what the user can do
     */
    public static CommandLine of(Object command, Predicate<Exception> expected) {
        return new CommandLine(command)
                .registerConverter(Duration.class, reading(Units::duration))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setAbbreviatedOptionsAllowed(false)
                .setParameterExceptionHandler(CommandLines::wrongUsage)
                .setExecutionExceptionHandler((e, failed, parsed) -> {
                    if (!expected.test(e)) {
                        throw e;
                    }
                    tell(failed, e);
                    return failed.getCommandSpec().exitCodeOnExecutionException();
                });
    }

    /** Reads the value of an option; what the reader says of a wrong one is told to the user. */
    public static <T> ITypeConverter<T> reading(Function<String, T> reader) {
        return text -> {
            try {
                return reader.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }

    private static int wrongUsage(CommandLine.ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        tell(command, e);
        if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
            command.getErr()
                    .println("'%s --help' shows what there is."
                            .formatted(command.getCommandSpec().qualifiedName()));
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static void tell(CommandLine command, Exception e) {
        command.getErr().println(command.getCommandSpec().root().name() + ": " + e.getMessage());
    }
}
