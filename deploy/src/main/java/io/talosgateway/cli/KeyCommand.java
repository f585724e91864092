package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyRole;
import io.talosgateway.rest.auth.KeyScope;
import io.talosgateway.rest.auth.KeySettings;
import io.talosgateway.rest.auth.NewKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes, shows, changes and deletes keys. */
@Command(
        name = "key",
        description = {
            "Makes, shows, changes and deletes the keys that clients sign with.",
            "",
            "Works on the gateway's key file (auth.key-file), on the gateway's machine; a running gateway sees a change within "
                    + "a second. With --cluster it asks a running gateway, with an admin key, for the keys that all hosts of "
                    + "its cluster share; every host sees a change within seconds."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        subcommands = {
            KeyCommand.Create.class,
            KeyCommand.ListKeys.class,
            KeyCommand.Disable.class,
            KeyCommand.Enable.class,
            KeyCommand.Expire.class,
            KeyCommand.Rotate.class,
            KeyCommand.Delete.class
        },
        footer = {
            "",
            "Examples:",
            "  talos-gateway key create --owner billing --role writer --topics 'orders-*' --expires 90d",
            "  talos-gateway key rotate TGABCDEFGHJKLMNPQR --keep-old 7d    clients have a week to take the new secret",
            "  talos-gateway key disable TGABCDEFGHJKLMNPQR",
            "  TALOS_KEY=$(cat admin-key) talos-gateway key list --cluster --endpoint https://gateway:8443",
            "",
            "Secrets are never options: others on the machine can see those (ps)."
        })
final class KeyCommand {

    private KeyCommand() {}

    static void print(PrintWriter out, String id, String secret, String owner, boolean admin) {
        out.println("  id:     " + id);
        out.println("  secret: " + secret);
        out.println("  owner:  " + owner + (admin ? " (admin)" : ""));
    }

    static void print(PrintWriter out, AccessKey key) {
        print(out, key.id(), key.secret(), key.owner(), key.admin());
    }

    /** Which keys. */
    static final class KeysOptions {

        @Option(
                names = "--cluster",
                description =
                        "Work on the keys that all hosts share, through the gateway of --endpoint, with the admin key of "
                                + "$TALOS_KEY or --key-file. Default: on a key file of this machine, that of --key-file or else of the "
                                + "configuration.")
        private boolean cluster;

        @Mixin
        private ClientOptions options = new ClientOptions();

        Keys keys() throws IOException {
            return cluster ? options.clusterKeys() : new FileKeys(options.keyFile());
        }
    }

    private abstract static class OfOne implements Callable<Integer> {

        @Parameters(index = "0", paramLabel = "ID", description = "The key's id; 'key list' shows it.")
        String id;

        @Mixin
        KeysOptions options = new KeysOptions();

        @Spec
        CommandSpec spec;

        PrintWriter out() {
            return spec.commandLine().getOut();
        }

        int change(UnaryOperator<KeySettings> change, String done) throws IOException {
            options.keys().change(id, change);
            out().println("key " + id + " " + done);
            return 0;
        }
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
                description = "Principal that uses the key: it owns the topics that it creates. Default: the key's id.")
        private @Nullable String owner;

        @Option(
                names = "--organization",
                paramLabel = "NAME",
                description = "Organization of the owner, such as CLbilling; its topics are the owner's.")
        private @Nullable String organization;

        @Option(
                names = "--admin",
                description =
                        "An administrator: may use, change and delete the topics of all owners, and make, change and "
                                + "delete keys. A role or --topics limits the first; then it has no power over keys.")
        private boolean admin;

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                defaultValue = "full",
                description = "What the key may be used for, at most: reader (get, describe), writer (put, describe), "
                        + "reader,writer, or full (whatever its owner may do). Default: ${DEFAULT-VALUE}.")
        private String role = "full";

        @Option(
                names = "--topics",
                paramLabel = "PATTERN",
                split = ",",
                description =
                        "Topics that the key may be used for, at most; * stands for any characters. May be repeated. "
                                + "Default: all.")
        private @Nullable List<String> topics;

        @Option(
                names = "--expires",
                paramLabel = "WHEN",
                description = "When the key ends: in 12h or 90d, or at 2027-01-31T00:00:00Z. Default: never.")
        private @Nullable String expires;

        @Option(names = "--description", paramLabel = "TEXT", description = "For people.")
        private @Nullable String description;

        @Mixin
        private KeysOptions options = new KeysOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            NewKey wanted;
            try {
                List<String> patterns = topics;
                KeyScope scope = new KeyScope(
                        KeyRole.permissions(role), KeyScope.of(null, patterns).topics());
                wanted = new NewKey(
                        owner,
                        organization,
                        admin,
                        new KeySettings(scope, false, expires == null ? null : When.parse(expires), description));
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(String.valueOf(e.getMessage()), e);
            }
            Keys keys = options.keys();
            Keys.Secret made = keys.create(wanted);
            PrintWriter out = spec.commandLine().getOut();
            print(out, made.id(), made.secret(), made.owner(), admin);
            out.println("kept in " + keys.place());
            return 0;
        }
    }

    /** {@code key list}. */
    @Command(
            name = "list",
            description = {
                "Lists the keys, without their secrets.",
                "With --cluster: all that the gateway knows, those of its key file included, and when that gateway last saw "
                        + "each used (to the minute, since it started)."
            },
            mixinStandardHelpOptions = true)
    static final class ListKeys implements Callable<Integer> {

        @Mixin
        private KeysOptions options = new KeysOptions();

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException {
            TextTable table = new TextTable(
                    "ID", "OWNER", "ADMIN", "CREATED", "STATE", "MAY", "TOPICS", "LAST USE", "SOURCE", "DESCRIPTION");
            for (Keys.Row key : options.keys().list()) {
                table.row(
                        key.id(),
                        key.owner(),
                        key.admin() ? "yes" : "no",
                        Instant.ofEpochMilli(key.createdAtMs()),
                        state(key),
                        String.join(",", key.permissions()),
                        String.join(",", key.topics()),
                        instant(key.lastUsedAtMs()),
                        key.source(),
                        key.description());
            }
            table.print(spec.commandLine().getOut());
            return 0;
        }

        private static String state(Keys.Row key) {
            if (key.problem() != null) {
                return "unreadable";
            }
            if (key.disabled()) {
                return "disabled";
            }
            return key.expiresAtMs() == null ? "valid" : "expires " + instant(key.expiresAtMs());
        }

        private static @Nullable Instant instant(@Nullable Long ms) {
            return ms == null ? null : Instant.ofEpochMilli(ms);
        }
    }

    /** {@code key disable}. */
    @Command(
            name = "disable",
            description = "Has a key refused until it is enabled again. Requests under way are finished.",
            mixinStandardHelpOptions = true)
    static final class Disable extends OfOne {

        @Override
        public Integer call() throws IOException {
            return change(settings -> settings.withDisabled(true), "is disabled");
        }
    }

    /** {@code key enable}. */
    @Command(name = "enable", description = "Has a disabled key taken again.", mixinStandardHelpOptions = true)
    static final class Enable extends OfOne {

        @Override
        public Integer call() throws IOException {
            return change(settings -> settings.withDisabled(false), "is enabled");
        }
    }

    /** {@code key expire}. */
    @Command(name = "expire", description = "Sets when a key ends.", mixinStandardHelpOptions = true)
    static final class Expire extends OfOne {

        @Parameters(
                index = "1",
                paramLabel = "WHEN",
                description = "In 12h or 90d, at 2027-01-31T00:00:00Z, now, or never.")
        private String when;

        @Override
        public Integer call() throws IOException {
            Long expiresAtMs = When.parse(when);
            return change(
                    settings -> settings.withExpiry(expiresAtMs),
                    expiresAtMs == null ? "never expires" : "expires at " + Instant.ofEpochMilli(expiresAtMs));
        }
    }

    /** {@code key rotate}. */
    @Command(
            name = "rotate",
            description =
                    "Gives a key a new secret and prints it, only now. The old secret stays valid for a while, so that "
                            + "clients can be changed one after another; the one before it ends at once.",
            mixinStandardHelpOptions = true)
    static final class Rotate extends OfOne {

        @Option(
                names = "--keep-old",
                paramLabel = "DURATION",
                defaultValue = "24h",
                description = "How long the old secret stays valid; 0s for not at all. Default: ${DEFAULT-VALUE}.")
        private String keepOld = "24h";

        @Override
        public Integer call() throws IOException {
            Duration kept = When.duration(keepOld);
            if (kept == null) {
                throw new CommandFailure("'%s' is not a duration like 30m, 12h or 7d".formatted(keepOld));
            }
            Keys.Secret rotated = options.keys().rotate(id, kept);
            out().println("  id:     " + rotated.id());
            out().println("  secret: " + rotated.secret());
            out().println("The secret before it ends in " + keepOld + ".");
            return 0;
        }
    }

    /** {@code key delete}. */
    @Command(
            name = "delete",
            description = "Deletes a key for good. 'key disable' can be taken back.",
            mixinStandardHelpOptions = true)
    static final class Delete extends OfOne {

        @Override
        public Integer call() throws IOException {
            options.keys().delete(id);
            out().println("deleted key " + id);
            return 0;
        }
    }
}
