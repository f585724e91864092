package io.talosgateway.rest.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.tls.HostTls;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

/** Who is let in at a peer port that speaks TLS, and what becomes of the others. */
final class PeerTlsTest {

    @TempDir
    static Path directory;

    private static HostTls ownerTls;
    private static HostTls callerTls;
    private static SSLContext between;
    private static HostTls foreignTls;
    private static HostTls trustingForeignersTls;
    private static HostCertificates certificates;

    private final ForwardFixture fixture = new ForwardFixture(ownerTls::accepting, callerTls::connecting);
    private final LogLines log = new LogLines();

    @BeforeAll
    static void issue() throws Exception {
        certificates = new HostCertificates(directory, "authority");
        HostCertificates others = new HostCertificates(directory, "others");
        ownerTls = certificates.issue("owner");
        callerTls = certificates.issue("caller");
        between = certificates.context("between");
        foreignTls = others.issue("foreign", certificates);
        trustingForeignersTls = certificates.issue("trusting", others);
    }

    @AfterEach
    void close() throws Exception {
        assertThat(log.withStackTrace()).isEmpty();
        log.close();
        fixture.close();
    }

    private void assertRefused(ForwardFixture.Owner owner, Forwarder stranger, String said) throws Exception {
        GatewayException failure = failure(stranger.owner(owner.peer()).put(fixture.put("stranger's")));
        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        Await.until(() -> owner.server().openConnections() == 0);
        assertThat(log.texts()).anyMatch(line -> line.startsWith("Closed a connection") && line.contains(said));
        assertThat(owner.partitions().puts).isEmpty();

        get(fixture.forwarder().owner(owner.peer()).put(fixture.put("good")));
        assertThat(owner.partitions().puts).hasSize(1);
    }

    @Test
    void certificateOfAnotherAuthorityIsRefused() throws Exception {
        assertRefused(fixture.owner("owner"), fixture.forwarderOver(foreignTls::connecting), "TLS with it failed");
    }

    @Test
    void hostWhoseAuthorityTheCallerDoesNotTrustIsNotAsked() throws Exception {
        ForwardFixture.Owner owner = fixture.owner("owner");

        GatewayException failure = failure(fixture.forwarderOver(trustingForeignersTls::connecting)
                .owner(owner.peer())
                .put(fixture.put("secret")));

        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(failure.detail()).contains("TLS with it failed (", "peer.tls.trusted-certificates");
        assertThat(owner.partitions().puts).isEmpty();
    }

    @Test
    void callerWithoutCertificateIsRefused() throws Exception {
        ForwardFixture.Owner owner = fixture.owner("owner");
        try (SSLSocket socket = (SSLSocket) certificates
                .authority()
                .trusting()
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), owner.server().port())) {
            socket.startHandshake();
            awaitEnd(socket);
        }
        Await.until(() -> owner.server().openConnections() == 0);
        assertThat(owner.server().strangers()).isZero();
        assertThat(log.texts()).singleElement().asString().contains("TLS with it failed");
    }

    private static void awaitEnd(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // Nothing that it may say matters.
            }
        } catch (IOException e) {
            // An alert, or a reset: ended as well.
        }
    }

    @Test
    void clearTextIsRefused() throws Exception {
        assertRefused(fixture.owner("owner"), fixture.forwarderOver(null), "it does not speak TLS");
    }

    @Test
    void hostThatDoesNotSpeakTlsIsNotAsked() throws Exception {
        ForwardFixture clear = new ForwardFixture();
        try {
            ForwardFixture.Owner owner = clear.owner("owner");
            GatewayException failure =
                    failure(fixture.forwarder().owner(owner.peer()).put(fixture.put("secret")));

            assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
            assertThat(failure.detail()).contains("TLS");
            assertThat(owner.partitions().puts).isEmpty();
        } finally {
            clear.close();
        }
    }

    /** It passes everything on as it is, with a certificate that both trust, and does not know the secret. */
    @Test
    void nobodyStandsBetweenTwoHosts() throws Exception {
        ForwardFixture.Owner owner = fixture.owner("owner");
        try (SSLServerSocket port = (SSLServerSocket)
                between.getServerSocketFactory().createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port.setNeedClientAuth(true);
            Peer seen = new Peer("owner", 7, "127.0.0.1:" + port.getLocalPort());
            CompletableFuture<PutResult> put = fixture.forwarder().owner(seen).put(fixture.put("x"));
            try (Socket caller = port.accept();
                    Socket toOwner = between.getSocketFactory()
                            .createSocket(
                                    InetAddress.getLoopbackAddress(),
                                    owner.server().port())) {
                Thread there = new Thread(() -> passOn(caller, toOwner));
                Thread back = new Thread(() -> passOn(toOwner, caller));
                there.start();
                back.start();
                GatewayException failure = failure(put);
                assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
                assertThat(failure.detail()).contains("do all hosts have the same peer.secret?");
                there.join();
                back.join();
            }
        }
        assertThat(owner.partitions().puts).isEmpty();
    }

    /** Each record as it is, until one side ends. */
    private static void passOn(Socket from, Socket to) {
        byte[] record = new byte[1 << 14];
        try {
            int count = from.getInputStream().read(record);
            while (count >= 0) {
                to.getOutputStream().write(record, 0, count);
                count = from.getInputStream().read(record);
            }
            to.close();
        } catch (IOException e) {
            // Ended as well.
        }
    }

    /** What the server has no memory for waits in the socket: nothing of it may be left in the TLS of its connection. */
    @Test
    void putsThatFindNoMemoryAreReadOnceThereIsSome() throws Exception {
        PeerConfig small = new PeerConfig(
                "127.0.0.1",
                0,
                DataSize.ofMiB(1),
                DataSize.ofMiB(2),
                100,
                100,
                Duration.ofMinutes(2),
                Duration.ofMinutes(2));
        ForwardFixture.Owner owner = fixture.owner(ForwardFixture.identity("owner"), small);
        BlockingQueue<CompletableFuture<PutResult>> arrived = new LinkedBlockingQueue<>();
        owner.partitions().onPut = request -> {
            CompletableFuture<PutResult> answer = new CompletableFuture<>();
            arrived.add(answer);
            return answer;
        };
        Forwarder forwarder = fixture.forwarder();
        String payload = "x".repeat(1_000_000);
        List<CompletableFuture<PutResult>> puts = new ArrayList<>();
        for (int number = 0; number < 2; number++) {
            puts.add(forwarder.owner(owner.peer()).put(fixture.put(payload)));
        }
        owner.partitions().nextPut();
        owner.partitions().nextPut();
        // Together more than the memory, and each so small that TLS might have taken it from the socket whole.
        for (int number = 0; number < 20; number++) {
            puts.add(forwarder.owner(owner.peer()).put(fixture.put("x".repeat(8_000))));
        }

        for (int number = 0; number < puts.size(); number++) {
            arrived.take().complete(GatedPartitions.stored(fixture.put("x")));
        }
        for (CompletableFuture<PutResult> put : puts) {
            get(put);
        }
    }

    /** The server hears nothing more of a connection once all of an answer counts as written. */
    @Test
    void answerThatTheSocketTakesPieceByPieceArrivesWhole() throws Exception {
        ForwardFixture.Owner owner = fixture.owner("owner");
        byte[] payload = new byte[4 << 20];
        new Random(1).nextBytes(payload);
        FetchResult result = new FetchResult(
                List.of(new StoredBlock(0, 1, new MessageBlock(1, 0, new ByteSlice(payload), 2, ByteSlice.EMPTY))),
                0,
                0,
                1,
                true);
        owner.partitions().onFetch = request -> CompletableFuture.completedFuture(result);
        Forwarder forwarder = fixture.forwarder();

        List<CompletableFuture<FetchResult>> answers = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            answers.add(forwarder.owner(owner.peer()).fetch(fixture.get(Duration.ZERO, fixture.soon())));
        }
        for (CompletableFuture<FetchResult> answer : answers) {
            assertThat(get(answer)).isEqualTo(result);
        }
    }

    @Test
    void silentConnectionIsClosed() throws Exception {
        SteppedTime time = new SteppedTime();
        ForwardFixture.Owner owner = fixture.owner(PeerConfig.DEFAULT, time);
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), owner.server().port())) {
            socket.getOutputStream().write(new byte[] {22, 3, 1});
            Await.until(() -> owner.server().strangers() == 1 && time.scheduled() > 0);
            time.advance(PeerConfig.DEFAULT.handshakeTimeout());
            awaitEnd(socket);
        }
        Await.until(() -> owner.server().openConnections() == 0);
        assertThat(log.texts()).singleElement().asString().contains("did not prove in time");
    }
}
