package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLException;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Tells whether a gateway is ready. */
@Command(
        name = "health",
        description = "Tells whether a gateway is ready to serve: exit status 0 if it is, otherwise 1.",
        mixinStandardHelpOptions = true)
final class HealthCommand implements Callable<Integer> {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PROGRESS = Duration.ofSeconds(2);

    @Option(
            names = "--ops",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8081",
            description = "Address of the gateway's operations port; https (ops.tls) trusts what Java trusts. Default: "
                    + "${DEFAULT-VALUE}.")
    private URI ops = URI.create("http://127.0.0.1:8081");

    @Option(
            names = {"-k", "--key-file"},
            paramLabel = "FILE",
            description = {
                "Key file of a gateway, of which the first key is sent. With ops.require-key, only administrators are told why a "
                        + "gateway is not ready.",
                "Default: the key in $" + ClientOptions.KEY_VARIABLE + ", as ID:SECRET; without it, no key is sent."
            })
    private @Nullable Path keyFile;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Wait so long for it to become ready. Default: ${DEFAULT-VALUE}.")
    private int waitSeconds;

    @Spec
    private CommandSpec spec;

    /** @param text what to show */
    private record Status(boolean ready, String text) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        String[] key = ClientOptions.namedKey(keyFile);
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
        PrintWriter out = spec.commandLine().getOut();
        long deadlineAtNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
        long shownAtNanos = System.nanoTime();
        Status status = status(client, key);
        while (!status.ready && System.nanoTime() - deadlineAtNanos < 0) {
            if (System.nanoTime() - shownAtNanos > PROGRESS.toNanos()) {
                out.println("not ready yet: " + status.text);
                out.flush();
                shownAtNanos = System.nanoTime();
            }
            TimeUnit.MILLISECONDS.sleep(POLL.toMillis());
            status = status(client, key);
        }
        if (!status.ready) {
            throw new CommandFailure("The gateway is not ready: " + status.text);
        }
        out.println(status.text);
        return 0;
    }

    private Status status(HttpClient client, String @Nullable [] key) throws InterruptedException {
        try {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(ops.resolve("/health/ready")).timeout(Duration.ofSeconds(5));
            if (key != null) {
                request.header("Authorization", ClientOptions.basic(key));
            }
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Status(response.statusCode() == 200, response.body().strip());
        } catch (SSLException e) {
            return new Status(
                    false,
                    "there is no TLS with %s (%s); -Djavax.net.ssl.trustStore in TALOS_CLIENT_JAVA_OPTS says whom to trust"
                            .formatted(ops, e.getMessage()));
        } catch (IOException e) {
            return new Status(false, "nothing answers at " + ops);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("'" + ops + "' is not an address like http://host:8081", e);
        }
    }
}
