package io.talosgateway.deploy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.talosgateway.cli.TalosGateway;
import io.talosgateway.client.GatewayClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The commands of the distribution against a gateway process: as processes what is about scripts, environment and ends of
 * processes, and the others in this one.
 */
final class CommandLineIT {

    @TempDir
    private static Path directory;

    private static GatewayProcess gateway;
    private static int runs;

    /** @param status exit status */
    private record Result(int status, String output) {}

    @BeforeAll
    static void start() throws Exception {
        // A change of ZooKeeper may take longer than the default, 10 s, while other tests keep the disk busy.
        gateway = GatewayProcess.start(
                Files.createDirectory(directory.resolve("data")),
                Map.of("ops.require-key", "true", "http.request-timeout", "25s"));
    }

    @AfterAll
    static void stop() throws Exception {
        gateway.close();
    }

    private Result run(String... arguments) throws Exception {
        return run(environment(), arguments);
    }

    /** In this process; its outputs one after the other. */
    private Result runHere(String... arguments) {
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        int status = TalosGateway.commandLine(arguments)
                .setOut(new PrintWriter(output))
                .setErr(new PrintWriter(errors))
                .execute(arguments);
        return new Result(status, output.toString() + errors);
    }

    /** In this process, a command that asks the gateway with its administrator's key. */
    private Result ask(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--endpoint",
                gateway.endpoint(),
                "--key-file",
                gateway.directory().resolve("keys.json").toString()));
        return runHere(all.toArray(String[]::new));
    }

    private Map<String, String> environment() {
        return Map.of(
                "TALOS_ENDPOINT",
                gateway.endpoint(),
                "TALOS_KEY",
                gateway.key().id() + ":" + gateway.key().secret());
    }

    private Result run(Map<String, String> environment, String... arguments) throws Exception {
        Path output = directory.resolve("command-" + runs++ + ".txt");
        Process process = GatewayProcess.run(output, List.of(arguments), environment);
        if (!process.waitFor(120, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("does not end: " + List.of(arguments));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }

    private void assertFails(Result result, String line) {
        assertThat(result.output).isEqualTo("talos-gateway: " + line + "\n");
        assertThat(result.status).isEqualTo(1);
    }

    @Test
    void topicIsCreatedListedDescribedAndDeleted() throws Exception {
        assertThat(run("topic", "create", "life", "--partitions", "3", "--attribute", "team=billing"))
                .isEqualTo(new Result(0, "created topic life with 3 partitions\n"));
        assertThat(ask("topic", "list").output).containsPattern("life +3 +24h +tester\n");
        assertThat(run("topic", "describe", "life").output)
                .contains("attribute:     team=billing")
                .containsPattern("\n2 +0 +0 +0 +0 +127\\.0\\.0\\.1:\\d+\n");
        assertFails(ask("topic", "create", "life"), "The topic 'life' exists already; choose another name.");
        assertThat(ask("topic", "delete", "life")).isEqualTo(new Result(0, "deleted topic life\n"));
        assertThat(ask("topic", "describe", "life").status).isEqualTo(1);
    }

    @Test
    void groupsAreListedDescribedResetAndDeleted() throws Exception {
        ask("topic", "create", "read", "--partitions", "2");
        for (String value : List.of("a", "b", "c")) {
            ask("put", "read", value, "--partition", "1");
        }
        assertFails(
                ask("group", "describe", "read", "app"),
                "The consumer group 'app' has no members and has committed nothing of the topic 'read'.");

        assertThat(run("group", "reset", "read", "app", "--to", "2", "--partition", "1"))
                .isEqualTo(new Result(0, "reset group app\n"));
        assertThat(ask("group", "list", "read").output).containsPattern("app +0 +1\n");
        assertThat(ask("group", "describe", "read", "app").output)
                .contains("members: none\n")
                .containsPattern("0 +0 +0 +0 +-\n1 +2 +3 +1 +-\n");
        assertThat(ask("group", "reset", "read", "app", "--to", "latest").status)
                .isZero();
        assertThat(ask("group", "list", "read").output).containsPattern("app +0 +0\n");
        assertThat(ask("group", "reset", "read", "app", "--time", "2026-01-01T00:00:00Z").status)
                .isZero();
        assertThat(ask("group", "delete", "read", "app")).isEqualTo(new Result(0, "deleted group app\n"));
        assertThat(ask("group", "list", "read").output).doesNotContain("app");

        assertFails(
                ask("group", "reset", "read", "app", "--time", "yesterday"),
                "--time: 'yesterday' is not a time such as 2026-11-24T08:00:00Z");
        assertFails(
                ask("group", "reset", "read", "app", "--to", "begin"),
                "--to: 'begin' is not an offset, 'earliest' or 'latest'");
        assertThat(ask("group", "reset", "read", "app").status).as("where?").isEqualTo(2);
    }

    @Test
    void quotasAreSetDescribedListedAndDeleted() throws Exception {
        ask("topic", "create", "limited");
        assertThat(ask("quota", "set", "--topic", "limited", "--put-bytes", "1000", "--space", "5000").output)
                .contains(
                        "space:        5000 bytes, used 0\n",
                        "put bytes:    1000 per second\n",
                        "get bytes:    no limit\n")
                .doesNotContain("partitions");
        assertThat(ask("quota", "describe", "--topic", "limited").output).contains("put bytes:    1000 per second\n");
        assertThat(ask("quota", "delete", "--topic", "limited").output).contains("put bytes:    no limit\n");

        assertThat(run("quota", "set", "--owner", "CLa b", "--topics", "7", "--get-requests", "3").output)
                .contains("topics:       7, used 0\n", "get requests: 3 per second\n");
        assertThat(ask("quota", "list").output).containsPattern("CLa b +0/7 +0/\\d+ +- +- +- +-\n");
        ask("quota", "delete", "--owner", "CLa b");
        assertThat(ask("quota", "list").output).doesNotContain("CLa b");

        assertFails(
                ask("quota", "set", "--topic", "limited", "--topics", "3"),
                "--topics and --partitions go with --owner.");
        assertFails(
                ask("quota", "set", "--topic", "limited"),
                "Say at least one limit, such as --put-bytes; 'quota delete' takes all away.");
        assertFails(
                ask("quota", "set", "--topic", "limited", "--put-bytes", "0"),
                "The quota of put bytes must be at least 1, not 0; leave it out for no limit.");
        assertThat(ask("quota", "describe").status).as("whose?").isEqualTo(2);
    }

    @Test
    void messagesArePutAndGot() throws Exception {
        ask("topic", "create", "talk", "--partitions", "2");
        assertThat(ask("put", "talk", "--partition", "1", "hello", "wörld"))
                .isEqualTo(new Result(0, "partition 1 offsets 0 to 1\n"));
        assertThat(ask("put", "talk", "--partition", "1", "--key", "k", "bye").output)
                .isEqualTo("partition 1 offset 2\n");

        assertThat(ask("get", "talk")).isEqualTo(new Result(0, "hello\nwörld\nbye\n"));
        assertThat(ask("get", "talk", "--partition", "1", "--from", "1", "--format", "full").output)
                .isEqualTo("1\t1\t\twörld\n1\t2\tk\tbye\n");
        assertThat(ask("get", "talk", "--max", "1", "--format", "json").output)
                .matches("\\{\"partition\":1,\"offset\":0,\"value\":\"hello\",\"appendedAtMs\":\\d+}\n");
        assertThat(ask("get", "talk", "--from", "latest")).isEqualTo(new Result(0, ""));
        assertThat(ask("get", "talk", "--partition", "1", "--from", "4").status).isEqualTo(1);
    }

    @Test
    void bytesOfAFileAreOneMessage() throws Exception {
        ask("topic", "create", "files", "--partitions", "1");
        Path file = Files.write(directory.resolve("bytes"), new byte[] {0, -1, 10, 13});

        assertThat(ask("put", "files", "--file", file.toString()).status).isZero();

        assertThat(ask("get", "files", "--format", "json").output).contains("\"valueBase64\":\"AP8KDQ==\"");
        assertFails(
                ask("put", "files", "--file", directory.resolve("none").toString()),
                "The file " + directory.resolve("none") + " cannot be read");
    }

    @Test
    void followingPrintsWhatComesAlsoAfterARestartOfTheGateway() throws Exception {
        run("topic", "create", "news", "--partitions", "2");
        Path output = directory.resolve("follow.txt");
        Process follower = GatewayProcess.run(output, List.of("get", "news", "--follow", "--max", "3"), environment());
        try {
            run("put", "news", "--partition", "0", "one");
            awaitContent(output, "one\n");
            gateway.kill();
            gateway.start();
            run("put", "news", "--partition", "1", "two");
            run("put", "news", "--partition", "0", "three");

            assertThat(follower.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(follower.exitValue()).isZero();
            assertThat(Files.readString(output).lines().filter(line -> !line.startsWith("talos-gateway:")))
                    .containsExactlyInAnyOrder("one", "two", "three");
        } finally {
            follower.destroyForcibly();
        }
    }

    private static void awaitContent(Path file, String content) throws Exception {
        while (!Files.readString(file).contains(content)) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    @Test
    void keysAreMadeListedWithoutSecretsAndWorkAtOnce() throws Exception {
        String[] data = {"--set", "data.directory=" + gateway.directory()};
        Result created = run("key", "create", "--owner", "app", data[0], data[1]);
        String id = line(created.output, "  id:     ");
        String secret = line(created.output, "  secret: ");
        Map<String, String> asApp = Map.of("TALOS_ENDPOINT", gateway.endpoint(), "TALOS_KEY", id + ":" + secret);

        assertThat(run("key", "list", data[0], data[1]).output)
                .containsPattern(id + " +app +no +20")
                .containsPattern(gateway.key().id() + " +tester +yes ")
                .doesNotContain(secret);
        assertThat(run(asApp, "topic", "create", "of-app").status).isZero();
        assertThat(run(asApp, "topic", "list").output).contains("of-app").doesNotContain("tester");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(gateway.directory().resolve("keys.json"))))
                .isEqualTo("rw-------");
    }

    @Test
    void keyOfTheFileIsLimitedRotatedDisabledAndDeletedWhileTheGatewayRuns() throws Exception {
        String data = "data.directory=" + gateway.directory();
        Result created = runHere(
                "key", "create", "--role", "reader,writer", "--topics", "a*,b", "--expires", "90d", "--set", data);
        String id = line(created.output, "  id:     ");
        String first = line(created.output, "  secret: ");
        assertThat(runHere("key", "list", "--set", data).output)
                .containsPattern(id + " .*expires 20.* put,get,describe +a\\*,b +- +file")
                .doesNotContain(first);

        String second = line(runHere("key", "rotate", id, "--set", data).output, "  secret: ");
        awaitTaken(true, id, first);
        awaitTaken(true, id, second);
        runHere("key", "rotate", id, "--keep-old", "0s", "--set", data);
        awaitTaken(false, id, second);

        String third = line(runHere("key", "rotate", id, "--set", data).output, "  secret: ");
        assertThat(runHere("key", "disable", id, "--set", data))
                .isEqualTo(new Result(0, "key " + id + " is disabled\n"));
        awaitTaken(false, id, third);
        runHere("key", "enable", id, "--set", data);
        awaitTaken(true, id, third);
        runHere("key", "expire", id, "now", "--set", data);
        awaitTaken(false, id, third);
        assertThat(runHere("key", "delete", id, "--set", data)).isEqualTo(new Result(0, "deleted key " + id + "\n"));
        assertThat(runHere("key", "delete", id, "--set", data).status).isEqualTo(1);
    }

    /** The gateway looks at its key file once a second. */
    private static void awaitTaken(boolean taken, String id, String secret) throws InterruptedException {
        GatewayClient client = GatewayClient.builder(URI.create(gateway.endpoint()))
                .key(id, secret)
                .build();
        while (isTaken(client) != taken) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static boolean isTaken(GatewayClient client) {
        try {
            client.topics().join();
            return true;
        } catch (CompletionException e) {
            return false;
        }
    }

    private static String line(String output, String start) {
        return output.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError(output));
    }

    @Test
    void keyFileOfTheConfigurationIsUsedIfNothingElseIsGiven() throws Exception {
        Map<String, String> onlyEndpoint = Map.of("TALOS_ENDPOINT", gateway.endpoint());

        assertThat(run(onlyEndpoint, "topic", "list", "--set", "data.directory=" + gateway.directory()).status)
                .isZero();
        Path nothing = directory.resolve("nothing");
        assertFails(
                run(onlyEndpoint, "topic", "list", "--set", "data.directory=" + nothing),
                "There is no key in %s/keys.json. Set $TALOS_KEY to ID:SECRET, or name the gateway's key file with --key-file."
                        .formatted(nothing));
    }

    @Test
    void wrongSecretIsSaidInOneLine() throws Exception {
        Map<String, String> wrong = Map.of(
                "TALOS_ENDPOINT", gateway.endpoint(), "TALOS_KEY", gateway.key().id() + ":wrong");

        Result result = run(wrong, "topic", "list");

        assertThat(result.status).isEqualTo(1);
        assertThat(result.output.lines()).singleElement().asString().startsWith("talos-gateway: ");
    }

    @Test
    void nobodyAtTheEndpointIsSaidInOneLine() throws Exception {
        // It is held, so that no other program can have it, and nobody listens.
        try (Socket held = new Socket()) {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = held.getLocalPort();

            assertFails(
                    run("topic", "list", "--endpoint", "http://127.0.0.1:" + port),
                    "No gateway answers at http://127.0.0.1:%d. Is it running, and is the address right?"
                            .formatted(port));
        }
    }

    @Test
    void healthTellsAndWaits() throws Exception {
        String ops = "http://127.0.0.1:" + gateway.opsPort();
        assertThat(run("health", "--ops", ops)).isEqualTo(new Result(0, "serving\n"));
        String keyFile = directory.resolve("data/keys.json").toString();
        assertThat(run(Map.of(), "health", "--ops", ops, "--key-file", keyFile)).isEqualTo(new Result(0, "serving\n"));
        assertThat(run(Map.of(), "health", "--ops", ops)).isEqualTo(new Result(0, "ready\n"));
        assertThat(run("health", "--ops", ops.replace("http", "https")).output)
                .contains("there is no TLS with https://127.0.0.1:");
        // It is held, so that no other program can have it, and nobody listens.
        try (Socket held = new Socket()) {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String nobody = "http://127.0.0.1:" + held.getLocalPort();
            assertFails(run("health", "--ops", nobody), "The gateway is not ready: nothing answers at " + nobody);
        }
    }

    @Test
    void wrongUsageExitsWithTwoAndSaysWhereHelpIs() throws Exception {
        assertThat(runHere("topc", "list"))
                .isEqualTo(
                        new Result(
                                2,
                                "talos-gateway: Unmatched arguments from index 0: 'topc', 'list'\nDid you mean: talos-gateway topic or talos-gateway doctor?\n"));
        Result missing = runHere("topic", "create");
        assertThat(missing.status).isEqualTo(2);
        assertThat(missing.output).isEqualTo("""
                        talos-gateway: Missing required parameter: 'TOPIC'
                        'talos-gateway topic create --help' shows what there is.
                        """);
    }

    @Test
    void helpIsShownByTheScript() throws Exception {
        Result result = run("key", "rotate", "--help");

        assertThat(result.status).isZero();
        assertThat(result.output).startsWith("Usage: talos-gateway key rotate");
    }

    @Test
    void serverThatCannotStartSaysWhyInOneLineAndExitsWithOne() throws Exception {
        Result unknownKey = run("server", "--set", "htp.port=1");
        assertFails(unknownKey, "There is no configuration key 'htp.port'. Did you mean 'http.port'?");

        String port = gateway.endpoint().substring(gateway.endpoint().lastIndexOf(':') + 1);
        Result portInUse = run(
                "server",
                "--set",
                "data.directory=" + directory.resolve("other"),
                "--set",
                "ops.port=0",
                "--set",
                "http.port=" + port);
        assertThat(portInUse.status).isEqualTo(1);
        assertThat(portInUse.output).contains("talos-gateway: ").contains(port).doesNotContain("\tat ");

        Result dataInUse = run(
                "server",
                "--set",
                "data.directory=" + gateway.directory(),
                "--set",
                "ops.port=0",
                "--set",
                "http.port=0");
        assertThat(dataInUse.status).isEqualTo(1);
        assertThat(dataInUse.output).contains("talos-gateway: ").doesNotContain("\tat ");
    }

    @Test
    void secretOnTheCommandLineIsRefused() throws Exception {
        assertFails(
                run("server", "--set", "peer.secret=0123456789abcdef"),
                "Everybody on this machine can see the value of peer.secret on the command line (ps). Write it into a file that only "
                        + "you can read, and say --set peer.secret=@FILE; or set it in the configuration file.");
    }

    @Test
    void keyFileThatIsNamedIsTheOneThatIsChanged() throws Exception {
        Path file = directory.resolve("others.json");
        String id =
                line(runHere("key", "create", "--key-file", file.toString(), "--owner", "app").output, "  id:     ");
        assertThat(runHere("key", "list", "--key-file", file.toString()).output).contains(id);
        assertThat(run("key", "list").output).doesNotContain(id);
    }

    @Test
    void sharedKeysAreHandledThroughTheGateway() throws Exception {
        Result created = ask("key", "create", "--cluster", "--owner", "app", "--role", "writer", "--topics", "a,b*");
        String id = line(created.output, "  id:     ");
        String secret = line(created.output, "  secret: ");
        assertThat(created.output).contains("kept in the cluster of " + gateway.endpoint());
        assertThat(ask("key", "list", "--cluster").output)
                .containsPattern(id + " +app +no .*valid +put,describe +a,b\\* +- +cluster")
                .containsPattern(gateway.key().id() + " +tester +yes .* file")
                .doesNotContain(secret);
        Map<String, String> asApp = Map.of("TALOS_ENDPOINT", gateway.endpoint(), "TALOS_KEY", id + ":" + secret);
        assertThat(run(asApp, "topic", "list").status).isZero();

        assertThat(ask("key", "expire", id, "90d", "--cluster").output).startsWith("key " + id + " expires at 20");
        ask("key", "disable", id, "--cluster");
        assertThat(run(asApp, "topic", "list").output).contains("The key " + id + " is disabled.");
        ask("key", "enable", id, "--cluster");
        String next = line(ask("key", "rotate", id, "--keep-old", "0s", "--cluster").output, "  secret: ");
        assertThat(run(asApp, "topic", "list").status).isEqualTo(1);
        Map<String, String> rotated = Map.of("TALOS_ENDPOINT", gateway.endpoint(), "TALOS_KEY", id + ":" + next);
        assertThat(run(rotated, "topic", "list").status).isZero();
        assertFails(
                run(rotated, "key", "list", "--cluster"), "'listKeys' needs an administrator's key without a scope.");
        assertThat(ask("key", "delete", id, "--cluster")).isEqualTo(new Result(0, "deleted key " + id + "\n"));
        assertFails(ask("key", "enable", id, "--cluster"), "There is no key '" + id + "'.");
    }

    @Test
    void firstStartMakesAKeyAndShowsItOnceAndStopsCleanly() throws Exception {
        Path data = directory.resolve("first");
        Path output = directory.resolve("first.txt");
        List<String> arguments =
                List.of("server", "--set", "data.directory=" + data, "--set", "ops.port=0", "--set", "http.port=0");
        Process first = GatewayProcess.run(output, arguments, Map.of());
        try {
            // Its start is not over yet: whoever stops it then loses nothing either.
            awaitContent(output, "RECOVERING -> SERVING");
            assertThat(Files.readString(output)).contains("secret: ").contains("It is shown only now");
        } finally {
            first.destroy();
        }
        assertThat(first.waitFor()).isEqualTo(143);
        assertThat(Files.readString(output)).contains("DRAINING -> ENDED").doesNotContain("\tat ");

        Process second = GatewayProcess.run(output, arguments, Map.of());
        try {
            awaitContent(output, "serves at");
            assertThat(Files.readString(output)).doesNotContain("secret: ");
        } finally {
            second.destroy();
        }
        second.waitFor();
    }
}
