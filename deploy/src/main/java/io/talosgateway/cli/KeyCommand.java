package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Makes and lists keys. */
@Command(
        name = "key",
        description = {
            "Makes and lists the keys that clients sign with.",
            "Works on the gateway's key file (auth.key-file), on the gateway's machine; a running gateway sees the change "
                    + "within a second."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {KeyCommand.Create.class, KeyCommand.ListKeys.class})
final class KeyCommand {

    private KeyCommand() {}

    static void print(PrintWriter out, AccessKey key) {
        out.println("  id:     " + key.id());
        out.println("  secret: " + key.secret());
        out.println("  owner:  " + key.owner() + (key.admin() ? " (admin)" : ""));
    }

    /** {@code key create}. */
    @Command(
            name = "create",
            description = "Makes a key and prints it. The secret is shown only now.",
            mixinStandardHelpOptions = true)
    static final class Create implements Callable<Integer> {

        @Option(
                names = "--owner",
                paramLabel = "NAME",
                description =
                        "Principal that uses the key; keys of one owner see the same topics. Default: the key's id.")
        private @Nullable String owner;

        @Option(names = "--admin", description = "The key may do everything.")
        private boolean admin;

        @Mixin
        private ConfigOptions options = new ConfigOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            Path file = options.config().auth().keyFile();
            if (owner != null && owner.isBlank()) {
                throw new CommandFailure("An owner has a name; leave --owner out for one named after the key");
            }
            AccessKey key = KeyFile.create(file, owner, admin, InstantSource.system());
            PrintWriter out = spec.commandLine().getOut();
            print(out, key);
            out.println("kept in " + file);
            return 0;
        }
    }

    /** {@code key list}. */
    @Command(name = "list", description = "Lists the keys, without their secrets.", mixinStandardHelpOptions = true)
    static final class ListKeys implements Callable<Integer> {

        @Mixin
        private ConfigOptions options = new ConfigOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            List<AccessKey> keys = KeyFile.read(options.config().auth().keyFile());
            Table table = new Table("ID", "OWNER", "ADMIN", "CREATED");
            for (AccessKey key : keys) {
                table.row(
                        key.id(),
                        key.owner(),
                        key.admin() ? "yes" : "no",
                        Instant.ofEpochMilli(key.createdAtMs()).toString());
            }
            table.print(spec.commandLine().getOut());
            return 0;
        }
    }
}
