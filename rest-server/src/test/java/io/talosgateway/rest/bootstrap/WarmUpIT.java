package io.talosgateway.rest.bootstrap;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.KeyFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

final class WarmUpIT {

    @TempDir
    private Path directory;

    private Path folder;

    @BeforeEach
    void leaveFileOfAGatewayThatWasKilled() throws Exception {
        folder = directory.resolve("warm-up");
        Files.createDirectories(folder.resolve("storage"));
        Files.writeString(folder.resolve("storage/old"), "old");
    }

    private static void await(BooleanSupplier condition) {
        long deadlineAtNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadlineAtNanos)
                    .as("threads of rehearsals: %s", threadsOfRehearsals())
                    .isNegative();
            Thread.onSpinWait();
        }
    }

    /** Without those of the process, which whoever needs them first starts. */
    private static List<String> threadsOfRehearsals() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> WarmUp.groupOf(thread) != null)
                .map(Thread::getName)
                .filter(name -> Stream.of(
                                "ForkJoinPool.commonPool",
                                "Curator-SafeNotifyService",
                                "org.apache.hadoop.fs.FileSystem$Statistics")
                        .noneMatch(name::startsWith))
                .toList();
    }

    /** A slow machine goes on before the rehearsal has ended. */
    private void awaitNothingLeft() {
        await(() -> Files.notExists(folder));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void beginsWhenPartitionsAreHereAndLeavesNothing() {
        AtomicBoolean serving = new AtomicBoolean();
        AtomicLong clock = new AtomicLong();
        WarmUp warmUp = new WarmUp(directory, Duration.ofMillis(200), serving::get, clock::get);

        warmUp.start();
        await(() -> Files.notExists(folder));
        assertThat(warmUp.isOver()).isFalse();

        serving.set(true);
        await(() -> Files.exists(folder));
        assertThat(warmUp.isOver()).isFalse();

        Await.until(() -> {
            clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
            return warmUp.isOver();
        });
        awaitNothingLeft();
        await(() -> threadsOfRehearsals().isEmpty());
    }

    @Test
    void thatIsTurnedOffIsOverAtOnce() {
        WarmUp warmUp = new WarmUp(directory, Duration.ZERO, () -> true, System::nanoTime);

        assertThat(warmUp.isOver()).isTrue();
        warmUp.start();
        await(() -> Files.notExists(folder));
    }

    /** The rehearsal goes on: its clock stands still until then. */
    @Test
    void gatewayIsReadyInTimeWhateverTheRehearsalDoes() throws Exception {
        AtomicLong clock = new AtomicLong();
        WarmUp warmUp = new WarmUp(directory, Duration.ofSeconds(1), () -> true, clock::get);
        warmUp.start();
        await(() -> Files.exists(folder.resolve("keys.json")));
        assertThat(warmUp.isOver()).isFalse();

        clock.addAndGet(TimeUnit.SECONDS.toNanos(6));

        assertThat(warmUp.isOver()).isTrue();
        warmUp.close();
        awaitNothingLeft();
    }

    @Test
    void endsWithTheGateway() throws Exception {
        AtomicLong clock = new AtomicLong();
        WarmUp warmUp = new WarmUp(directory, Duration.ofSeconds(1), () -> true, clock::get);
        warmUp.start();
        await(() -> Files.exists(folder.resolve("storage/journals")));

        warmUp.close();

        awaitNothingLeft();
    }

    private static List<String> messages(ListAppender<ILoggingEvent> lines) {
        synchronized (lines) {
            return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        }
    }

    /** Users see one gateway: in its log, its metrics and its topics. */
    @Test
    void gatewayIsReadyAfterItAndShowsNothingOfIt() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Logger ours = (Logger) LoggerFactory.getLogger("io.talosgateway");
        Level before = ours.getLevel();
        ours.setLevel(Level.INFO);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        root.addAppender(lines);
        KeyFile.create(directory.resolve("keys.json"), "root", true, InstantSource.system());
        try (Gateway gateway = Gateway.startAndWarmUp(GatewayConfig.of(Map.of(
                "data.directory", directory.toString(), "http.port", "0", "ops.port", "0", "warm-up.time", "300ms")))) {
            await(gateway::isReady);
            await(() -> messages(lines).stream().anyMatch(line -> line.startsWith("Warmed up in")));

            List<String> messages = messages(lines);
            assertThat(messages).filteredOn(line -> line.contains("serves at")).hasSize(1);
            assertThat(messages).noneMatch(line -> line.contains("DRAINING"));
            assertThat(folder).doesNotExist();
            URI metrics = URI.create("http://127.0.0.1:" + gateway.opsPort() + "/metrics");
            String page = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            assertThat(page.lines())
                    .filteredOn(line -> line.startsWith("talos_request_seconds_count"))
                    .allMatch(line -> line.endsWith(" 0.0"));
            assertThat(page).contains("talos_connections 0.0");
        } finally {
            root.detachAppender(lines);
            ours.setLevel(before);
        }
    }
}
