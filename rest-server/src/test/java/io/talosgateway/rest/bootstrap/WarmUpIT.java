package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.journal.FaultyStorage;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import io.talosgateway.rest.journal.hdfs.HdfsJournalStorage;
import io.talosgateway.rest.journal.local.LocalJournalStorage;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.wire.message.ByteSlice;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

final class WarmUpIT {

    private static final String STORAGE_FOLDER = "warm-up-gateway-1";

    @TempDir
    private Path directory;

    @TempDir
    private Path storageDirectory;

    private Path folder;
    private JournalStorage storage;

    @BeforeEach
    void leaveFileOfAGatewayThatWasKilled() throws Exception {
        folder = directory.resolve("warm-up");
        Files.createDirectories(folder.resolve("storage"));
        Files.writeString(folder.resolve("storage/old"), "old");
        storage = LocalJournalStorage.open(storageDirectory.toUri());
        leaveFileIn(storage);
    }

    private static void leaveFileIn(JournalStorage left) throws Exception {
        left.createWhole(STORAGE_FOLDER + "/old", ByteSlice.utf8("old"));
    }

    @AfterEach
    void closeStorage() throws Exception {
        storage.close();
    }

    private GatewayConfig config(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("data.directory", directory.toString());
        return GatewayConfig.of(settings);
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
    private void awaitNothingLeft() throws IOException {
        awaitNothingLeft(storage);
    }

    private void awaitNothingLeft(JournalStorage in) throws IOException {
        await(() -> Files.notExists(folder));
        assertThat(directory).isEmptyDirectory();
        assertThat(in.exists(STORAGE_FOLDER)).isFalse();
    }

    @Test
    void beginsWhenPartitionsAreHereAndLeavesNothing() throws Exception {
        AtomicBoolean serving = new AtomicBoolean();
        AtomicLong clock = new AtomicLong();
        AtomicInteger asked = new AtomicInteger();
        BooleanSupplier countingServing = () -> {
            asked.incrementAndGet();
            return serving.get();
        };
        WarmUp warmUp = new WarmUp(config(Map.of()), Duration.ofMillis(200), countingServing, clock::get);

        warmUp.start(storage);
        Await.until(() -> asked.get() > 1);
        assertThat(folder.resolve("keys.json")).doesNotExist();
        assertThat(warmUp.isOver()).isFalse();

        serving.set(true);
        await(() -> Files.exists(folder.resolve("keys.json")));
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
        WarmUp warmUp = new WarmUp(config(Map.of()), Duration.ZERO, () -> true, System::nanoTime);

        assertThat(warmUp.isOver()).isTrue();
        warmUp.start(storage);
        await(() -> Files.notExists(folder));
    }

    /** The rehearsal goes on: its clock stands still until then. */
    @Test
    void gatewayIsReadyInTimeWhateverTheRehearsalDoes() throws Exception {
        AtomicLong clock = new AtomicLong();
        WarmUp warmUp = new WarmUp(config(Map.of()), Duration.ofSeconds(1), () -> true, clock::get);
        warmUp.start(storage);
        await(() -> Files.exists(folder.resolve("keys.json")));
        assertThat(warmUp.isOver()).isFalse();

        clock.addAndGet(TimeUnit.SECONDS.toNanos(6));

        assertThat(warmUp.isOver()).isTrue();
        warmUp.close();
        awaitNothingLeft();
    }

    @Test
    void gatewayIsReadyInTimeWhateverTheStorageDoes() throws Exception {
        AtomicLong clock = new AtomicLong();
        FaultyStorage hanging = new FaultyStorage(storage);
        CountDownLatch held = new CountDownLatch(1);
        hanging.holdDeletes = held;
        WarmUp warmUp = new WarmUp(config(Map.of()), Duration.ofSeconds(1), () -> true, clock::get);
        warmUp.start(hanging);
        Await.until(() -> hanging.deletesHeld.get() == 1);
        assertThat(warmUp.isOver()).isFalse();

        clock.addAndGet(TimeUnit.SECONDS.toNanos(6));

        assertThat(warmUp.isOver()).isTrue();
        hanging.holdDeletes = null;
        held.countDown();
        warmUp.close();
        awaitNothingLeft();
    }

    @Test
    void endsWithTheGateway() throws Exception {
        AtomicLong clock = new AtomicLong();
        WarmUp warmUp = new WarmUp(config(Map.of()), Duration.ofSeconds(1), () -> true, clock::get);
        warmUp.start(storage);
        await(() -> Files.exists(folder.resolve("storage/journals")));

        warmUp.close();

        awaitNothingLeft();
    }

    /** The code of HDFS is what has to be compiled where messages are on HDFS. */
    @Test
    void isOnTheHdfsOfTheGateway(@TempDir Path hdfsDirectory) throws Exception {
        try (HdfsCluster hdfs = HdfsCluster.start(hdfsDirectory, 1)) {
            GatewayConfig config = config(Map.of("storage.root", hdfs.uri() + "/talos", "hadoop.dfs.replication", "1"));
            try (JournalStorage onHdfs = HdfsJournalStorage.open(config.storage())) {
                leaveFileIn(onHdfs);
                // The load goes on until it is closed: its clock stands still.
                WarmUp warmUp = new WarmUp(config, Duration.ofSeconds(1), () -> true, new AtomicLong()::get);
                warmUp.start(onHdfs);
                Await.until(() -> hasJournalFile(onHdfs, STORAGE_FOLDER + "/journals"));

                warmUp.close();

                awaitNothingLeft(onHdfs);
            }
        }
    }

    @Test
    void comesOverTlsIfClientsDo() throws Exception {
        Path certificate = storageDirectory.resolve("certificate.pem");
        Path key = storageDirectory.resolve("key.pem");
        new TestCertificates(storageDirectory, "authority")
                .issue("gateway", "EC")
                .write(certificate, key);
        GatewayConfig config = config(Map.of("tls.certificate", certificate.toString(), "tls.key", key.toString()));
        AtomicInteger handshakes = new AtomicInteger();
        try (RecordingStream events = new RecordingStream()) {
            events.enable("jdk.TLSHandshake");
            events.onEvent("jdk.TLSHandshake", event -> handshakes.incrementAndGet());
            events.startAsync();
            WarmUp warmUp = new WarmUp(config, Duration.ofSeconds(1), () -> true, new AtomicLong()::get);
            warmUp.start(storage);
            Await.until(() -> handshakes.get() > 0);

            warmUp.close();
        }
        awaitNothingLeft();
    }

    private static boolean hasJournalFile(JournalStorage in, String directory) throws IOException {
        for (JournalStorage.StoredFile file : in.list(directory)) {
            boolean found = file.directory()
                    ? hasJournalFile(in, directory + "/" + file.name())
                    : file.name().endsWith(".journal");
            if (found) {
                return true;
            }
        }
        return false;
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
