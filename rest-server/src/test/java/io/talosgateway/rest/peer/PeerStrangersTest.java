package io.talosgateway.rest.peer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Who knocks at the peer port and is no host is put out with one line in the log, and takes nothing from those who are. The
 * clock stands still unless the test moves it: what ends, ends at once.
 */
final class PeerStrangersTest {

    private static final int MAX_CONNECTIONS = 30;
    private static final int MAX_STRANGERS = 10;
    private static final PeerConfig CONFIG = new PeerConfig(
            "127.0.0.1",
            0,
            DataSize.ofMiB(1),
            DataSize.ofMiB(2),
            MAX_CONNECTIONS,
            MAX_STRANGERS,
            Duration.ofSeconds(5),
            Duration.ofSeconds(15));

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final LogLines log = new LogLines();
    private final ForwardFixture.Owner owner;
    private final Forwarder good;
    private final int port;

    PeerStrangersTest() throws Exception {
        owner = fixture.owner(CONFIG, time);
        good = fixture.forwarder(ForwardFixture.config(1, 1, 100, 1 << 20));
        port = owner.server().port();
        assertGoodHostIsServed();
    }

    @AfterEach
    void close() throws Exception {
        assertGoodHostIsServed();
        assertThat(owner.partitions().puts).isEmpty();
        assertThat(log.withStackTrace()).isEmpty();
        log.close();
        fixture.close();
    }

    private void assertGoodHostIsServed() throws Exception {
        get(good.owner(owner.peer()).put(fixture.put("good")));
        owner.partitions().nextPut();
    }

    /** Until only the good host is there. */
    private void awaitNoStrangers() {
        Await.until(() -> owner.server().strangers() == 0 && owner.server().openConnections() == 1);
    }

    private void advance(Duration by) {
        time.advance(by);
        log.clear();
    }

    // --- What is no handshake ---

    /** What a stranger sends first. */
    record Knock(String what, ByteSlice bytes) {

        @Override
        public String toString() {
            return what;
        }
    }

    private static Knock knock(String what, byte... bytes) {
        return new Knock(what, new ByteSlice(bytes));
    }

    private static Knock text(String what, String text) {
        return knock(what, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] frame(int length, byte... body) {
        return ByteBuffer.allocate(4 + body.length).putInt(length).put(body).array();
    }

    static Stream<Knock> knocks() {
        return Stream.of(
                text("HTTP", "GET /v1/topics HTTP/1.1\r\nHost: gateway\r\n\r\n"),
                text("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
                text("TLS", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"),
                text("SSH", "SSH-2.0-OpenSSH_9.6\r\n"),
                knock("frame of 0 bytes", frame(0)),
                knock("frame of -1 bytes", frame(-1)),
                knock("smallest number", frame(Integer.MIN_VALUE)),
                knock("frame of 2 GiB", frame(Integer.MAX_VALUE)),
                knock("frame of the largest size of hosts", frame(1 << 20)),
                knock("frame that is a byte too large for a handshake", frame(4097)),
                knock("frame of one byte", frame(1, (byte) 0)),
                knock(
                        "binary protocol",
                        frame(8, (byte) 0x80, (byte) 1, (byte) 0, (byte) 1, (byte) 0, (byte) 0, (byte) 0, (byte) 0)),
                knock(
                        "name of 2 GiB",
                        frame(
                                8,
                                (byte) 0x82,
                                (byte) 0x21,
                                (byte) 0,
                                (byte) 0xff,
                                (byte) 0xff,
                                (byte) 0xff,
                                (byte) 0xff,
                                (byte) 7)),
                knock("a reply", frame(5, (byte) 0x82, (byte) 0x41, (byte) 0, (byte) 1, (byte) 'x')),
                knock("unknown method", frame(6, (byte) 0x82, (byte) 0x21, (byte) 0, (byte) 1, (byte) 'x', (byte) 0)),
                knock(
                        "greeting without a body",
                        frame(
                                9,
                                (byte) 0x82,
                                (byte) 0x21,
                                (byte) 0,
                                (byte) 5,
                                (byte) 'g',
                                (byte) 'r',
                                (byte) 'e',
                                (byte) 'e',
                                (byte) 't')));
    }

    @ParameterizedTest
    @MethodSource("knocks")
    void strangerIsPutOutAtOnceWithOneLine(Knock knock) throws Exception {
        try (RawConnection stranger = RawConnection.to(port)) {
            stranger.sendBytes(knock.bytes().toByteArray());

            assertThat(stranger.isEnded()).isTrue();
        }
        awaitNoStrangers();
        assertThat(log.texts()).singleElement().asString().startsWith("Closed a connection from ");
    }

    @Test
    void randomBytesHarmNothing() throws Exception {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[1 + random.nextInt(3000)];
            random.nextBytes(bytes);
            if (seed % 2 == 0) { // as a whole frame, so that what is inside is looked at
                ByteBuffer.wrap(bytes).putInt(0, Math.max(0, bytes.length - 4));
            }
            try (RawConnection stranger = RawConnection.to(port)) {
                stranger.sendBytes(bytes);
                stranger.sendNoMore();

                assertThat(stranger.isEnded()).as("seed %d", seed).isTrue();
            }
        }
        awaitNoStrangers();
        assertThat(log.texts()).hasSize(1); // the clock stands still, so the others are only counted

        time.advance(Duration.ofSeconds(5));
        try (RawConnection last = RawConnection.to(port)) {
            last.sendBytes(frame(0));
            assertThat(last.isEnded()).isTrue();
        }
        assertThat(log.texts()).hasSize(2).last().asString().contains("other connections since the last such line");
    }

    @Test
    void greetingsWithWrongBytesHarmNothing() throws Exception {
        byte[] greeting;
        try (ScriptedCaller caller = new ScriptedCaller(port)) {
            greeting = caller.greetingBytes();
        }
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            byte[] bytes = greeting.clone();
            for (int change = 0; change <= random.nextInt(4); change++) {
                bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt(256);
            }
            try (RawConnection stranger = RawConnection.to(port)) {
                stranger.sendBytes(bytes);
                stranger.sendNoMore();
                // Perhaps an answer; in any case the end.
                assertThatCode(stranger::bytesUntilEnd).as("seed %d", seed).doesNotThrowAnyException();
            }
        }
        awaitNoStrangers();
    }

    @Test
    void deepNestingIsNotFollowed() throws Exception {
        byte[] body = new byte[4096];
        byte[] begin = {(byte) 0x82, 0x21, 0, 5, 'g', 'r', 'e', 'e', 't', (byte) 0x99}; // field 9: a list
        Arrays.fill(body, (byte) 0x19); // of one list, of one list ...
        System.arraycopy(begin, 0, body, 0, begin.length);
        try (RawConnection stranger = RawConnection.to(port)) {
            stranger.sendBytes(frame(body.length, body));

            assertThat(stranger.isEnded()).isTrue();
        }
        awaitNoStrangers();
    }

    // --- Who is slow or many ---

    @Test
    void strangerThatSaysNothingOrHalfAFrameIsPutOutInTime() throws Exception {
        List<RawConnection> strangers = new ArrayList<>();
        for (byte[] beginning : List.of(
                new byte[0], new byte[] {0}, new byte[] {0, 0, 0}, frame(100), frame(100, (byte) 0x82, (byte) 0x21))) {
            RawConnection stranger = RawConnection.to(port);
            stranger.sendBytes(beginning);
            strangers.add(stranger);
        }
        Await.until(() -> owner.server().strangers() == strangers.size());
        assertGoodHostIsServed();

        advance(CONFIG.handshakeTimeout());

        for (RawConnection stranger : strangers) {
            assertThat(stranger.isEnded()).isTrue();
        }
        awaitNoStrangers();
    }

    @Test
    void strangerThatDripsIsPutOutInTime() throws Exception {
        byte[] greeting;
        try (ScriptedCaller caller = new ScriptedCaller(port)) {
            greeting = caller.greetingBytes();
        }
        awaitNoStrangers();
        try (RawConnection stranger = RawConnection.to(port)) {
            Await.until(() -> owner.server().strangers() == 1 && time.scheduled() > 0);
            for (int second = 0; second < CONFIG.handshakeTimeout().toSeconds(); second++) {
                stranger.sendBytes(greeting[second]);
                advance(Duration.ofSeconds(1));
            }
            assertThat(stranger.isEnded()).isTrue();
        }
        awaitNoStrangers();
    }

    @Test
    void hostThatSendsHalfARequestIsPutOutInTime() throws Exception {
        for (byte[] beginning :
                List.of(new byte[] {0}, new byte[] {0, 0}, frame(100), frame(1 << 20, new byte[5000]))) {
            try (ScriptedCaller slow = ScriptedCaller.proved(port)) {
                int before = time.scheduled();
                slow.raw().sendBytes(beginning);
                Await.until(() -> time.scheduled() == before + 1);
                assertGoodHostIsServed();

                time.advance(CONFIG.transferTimeout());

                assertThat(slow.raw().isEnded()).isTrue();
            }
            assertThat(log.texts()).singleElement().asString().contains("took too long");
            log.clear();
        }
        awaitNoStrangers();
    }

    @Test
    void furtherStrangersArePutOutAtOnce() throws Exception {
        List<RawConnection> idle = new ArrayList<>();
        for (int number = 0; number < MAX_STRANGERS; number++) {
            idle.add(RawConnection.to(port));
        }
        Await.until(() -> owner.server().strangers() == MAX_STRANGERS);
        for (int number = 0; number < 50; number++) {
            try (RawConnection further = RawConnection.to(port)) {
                assertThat(further.isEnded()).isTrue();
            }
        }
        Await.until(() -> owner.server().strangers() == MAX_STRANGERS);
        assertThat(log.texts()).singleElement().asString().contains("too many connections");
        assertGoodHostIsServed(); // it has proved before

        advance(CONFIG.handshakeTimeout());

        for (RawConnection stranger : idle) {
            assertThat(stranger.isEnded()).isTrue();
        }
        awaitNoStrangers();
        ScriptedCaller.proved(port).close(); // there is room for a host again
    }

    @Test
    void hostsAreBoundedAsWell() throws Exception {
        List<ScriptedCaller> hosts = new ArrayList<>();
        while (hosts.size() < MAX_CONNECTIONS - 1) { // one is the good host's
            hosts.add(ScriptedCaller.proved(port));
        }
        try (RawConnection further = RawConnection.to(port)) {
            assertThat(further.isEnded()).isTrue();
        }
        Await.until(() -> owner.server().strangers() == 0);

        hosts.remove(0).close();
        Await.until(() -> owner.server().openConnections() == MAX_CONNECTIONS - 1);
        hosts.add(ScriptedCaller.proved(port));
        for (ScriptedCaller host : hosts) {
            host.close();
        }
        awaitNoStrangers();
    }

    @Test
    void connectionsThatComeAndGoLeaveNothingBehind() throws Exception {
        for (int number = 0; number < 300; number++) {
            RawConnection stranger = RawConnection.to(port);
            if (number % 3 == 0) {
                stranger.sendBytes((byte) 0, (byte) 0);
            }
            if (number % 2 == 0) {
                stranger.reset();
            } else {
                stranger.close();
            }
        }
        awaitNoStrangers();
        assertThat(log.texts()).hasSizeLessThanOrEqualTo(1);
    }
}
