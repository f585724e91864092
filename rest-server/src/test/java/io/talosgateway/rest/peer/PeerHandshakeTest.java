package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.hostprotocol.ClusterSecret;
import io.talosgateway.rest.hostprotocol.Handshake;
import io.talosgateway.rest.hostprotocol.HostIdentity;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.thrift.FindOffsetRequest;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GreetRequest;
import io.talosgateway.thrift.HostPartition;
import io.talosgateway.thrift.ProveRequest;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.talosgateway.rest.peer.ForwardFixture.PARTITION;
import static io.talosgateway.rest.peer.ForwardFixture.SECRET;
import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Who does not know the secret of the cluster gets nothing from either side, whatever it has overheard. */
final class PeerHandshakeTest {

    private static final ClusterSecret OTHER_SECRET = new ClusterSecret("not the secret of the tests");

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final ForwardFixture.Owner owner;
    private final int port;

    PeerHandshakeTest() throws Exception {
        owner = fixture.owner(PeerConfig.DEFAULT, time);
        port = owner.server().port();
    }

    @AfterEach
    void close() throws Exception {
        assertGoodHostIsServed();
        assertThat(owner.partitions().others).isEmpty();
        fixture.close();
    }

    private void assertGoodHostIsServed() throws Exception {
        get(fixture.forwarder().owner(owner.peer()).put(fixture.put("good")));
        assertThat(owner.partitions().nextPut().batch().checksum())
                .isEqualTo(ForwardFixture.batch("good").checksum());
        assertThat(owner.partitions().puts).isEmpty();
    }

    private static void assertRefused(ScriptedCaller stranger, ByteSlice proof) throws Exception {
        GalaxyTalosException refusal = catchThrowableOfType(GalaxyTalosException.class, () -> stranger.prove(proof));

        assertThat(refusal.getErrMsg()).isEqualTo("unauthenticated never");
        assertThat(refusal.getDetails()).contains("do all hosts have the same peer.secret?");
        assertThat(stranger.raw().isEnded()).isTrue();
    }

    // --- Strangers who call ---

    @Test
    void wrongSecretIsRefusedAndLearnsNoProofOfTheOwner() throws Exception {
        try (LogLines log = new LogLines();
                ScriptedCaller stranger = new ScriptedCaller(port)) {
            Handshake handshake = stranger.greet();
            assertRefused(stranger, handshake.callerProof(OTHER_SECRET));

            assertThat(log.texts()).singleElement().asString().contains("do all hosts have the same peer.secret?");
            assertThat(log.withStackTrace()).isEmpty();
        }
    }

    @Test
    void hostWithTheWrongSecretTellsItsOperatorWhy() throws Exception {
        HostIdentity wrong = new HostIdentity("cluster", "caller", OTHER_SECRET);
        Forwarder forwarder = fixture.forwarder(ForwardFixture.PATIENT, wrong, new CollectorRegistry());

        GatewayException failure = failure(forwarder.owner(owner.peer()).put(fixture.put("x")));

        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(failure.detail()).contains("do all hosts have the same peer.secret?", "nothing was done");
    }

    @Test
    void proofThatWasOverheardIsWorthNothingOnAnotherConnection() throws Exception {
        Handshake overheard;
        try (ScriptedCaller good = new ScriptedCaller(port)) {
            overheard = good.greet();
            good.prove(overheard.callerProof(SECRET));
        }
        try (ScriptedCaller replay = new ScriptedCaller(port)) { // with the same nonce, the same bytes
            Handshake again = replay.greet();
            assertThat(again.callerNonce()).isEqualTo(overheard.callerNonce());
            assertThat(again.ownerNonce()).isNotEqualTo(overheard.ownerNonce());
            assertRefused(replay, overheard.callerProof(SECRET));
        }
    }

    @Test
    void proofOfTheOwnerIsNoneOfACaller() throws Exception {
        try (ScriptedCaller stranger = new ScriptedCaller(port)) {
            assertRefused(stranger, stranger.greet().ownerProof(SECRET));
        }
    }

    @Test
    void whatTheOwnerSaidIsNoProof() throws Exception {
        Handshake first;
        try (ScriptedCaller stranger = new ScriptedCaller(port)) {
            first = stranger.greet();
            assertRefused(stranger, first.ownerNonce());
        }
        try (ScriptedCaller reflecting = new ScriptedCaller(port, first.ownerNonce())) {
            assertRefused(reflecting, reflecting.greet().ownerNonce());
        }
    }

    @Test
    void proofMadeForAnotherHostIsWorthNothingHere() throws Exception {
        // The stranger poses as "owner2" to a host that calls, and as that host to the owner, and hands on what each
        // says.
        try (ScriptedOwner posing = new ScriptedOwner()) {
            Forwarder victim = fixture.forwarder();
            CompletableFuture<PutResult> put = victim.owner(posing.peer()).put(fixture.put("x"));
            RawConnection fromVictim = posing.accept();
            GreetRequest greeting = ScriptedOwner.readGreeting(fromVictim);
            ForwardFixture.Owner elsewhere = fixture.owner("owner2");
            try (ScriptedCaller stranger =
                    new ScriptedCaller(elsewhere.server().port(), new ByteSlice(greeting.getNonce()))) {
                Handshake handshake = stranger.greet();
                ScriptedOwner.greet(fromVictim, handshake.ownerNonce()); // as "owner", whom the victim meant
                assertRefused(stranger, ScriptedOwner.readProof(fromVictim));
            }
            fromVictim.close();
            assertThat(failure(put).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
            assertThat(elsewhere.partitions().puts).isEmpty();
        }
    }

    @Test
    void guessedProofsAreRefusedOneAConnection() throws Exception {
        for (int length : List.of(0, 1, 31, 32, 33, 2000)) {
            byte[] guess = new byte[length];
            new Random(length).nextBytes(guess);
            try (ScriptedCaller stranger = new ScriptedCaller(port)) {
                stranger.greet();
                assertRefused(stranger, new ByteSlice(guess)); // and the connection ends: no second guess
            }
        }
    }

    @Test
    void otherClusterAndOtherVersionAreToldSo() throws Exception {
        try (ScriptedCaller other = new ScriptedCaller(port)) {
            GreetRequest greeting = other.greeting().setClusterId("another cluster");
            GalaxyTalosException refusal =
                    catchThrowableOfType(GalaxyTalosException.class, () -> other.call(HostMethods.GREET, greeting));
            assertThat(refusal.getDetails()).contains("another cluster");
            assertThat(other.raw().isEnded()).isTrue();
        }
        try (ScriptedCaller newer = new ScriptedCaller(port)) {
            GreetRequest greeting = newer.greeting().setVersion(Handshake.VERSION + 1);
            GalaxyTalosException refusal =
                    catchThrowableOfType(GalaxyTalosException.class, () -> newer.call(HostMethods.GREET, greeting));
            assertThat(refusal.getDetails()).contains("version");
            assertThat(newer.raw().isEnded()).isTrue();
        }
    }

    @Test
    void nonceOfAnotherLengthIsRefused() throws Exception {
        for (int length : List.of(0, 31, 33)) {
            try (ScriptedCaller stranger = new ScriptedCaller(port)) {
                stranger.send(HostMethods.GREET, stranger.greeting().setNonce(new byte[length]));
                assertThat(stranger.raw().isEnded()).isTrue();
            }
        }
    }

    // --- Hosts that are not registered ---

    private void assertNotRegistered(ScriptedCaller stranger) throws Exception {
        Handshake handshake = stranger.greet();
        GalaxyTalosException refusal =
                catchThrowableOfType(GalaxyTalosException.class, () -> stranger.prove(handshake.callerProof(SECRET)));

        assertThat(refusal.getErrMsg()).isEqualTo("unauthenticated never");
        assertThat(refusal.getDetails()).contains("ZooKeeper has no such host in this incarnation");
        assertThat(stranger.raw().isEnded()).isTrue();
    }

    @Test
    void secretIsNotEnoughForAHostThatIsNotRegistered() throws Exception {
        fixture.gone.add(ScriptedCaller.NAME);
        try (LogLines log = new LogLines();
                ScriptedCaller stranger = new ScriptedCaller(port)) {
            assertNotRegistered(stranger);
            assertThat(log.texts()).singleElement().asString().contains("ZooKeeper has no such host");
        }
        assertThat(failure(fixture.forwarder().owner(owner.peer()).put(fixture.put("x")))
                        .detail())
                .contains("ZooKeeper has no such host", "nothing was done");
        fixture.gone.clear();
    }

    @Test
    void hostThatIsRegisteredInAnotherIncarnationIsRefused() throws Exception {
        for (long other : List.of(ForwardFixture.CALLER - 1, ForwardFixture.CALLER + 1, 0L)) {
            try (ScriptedCaller stranger = new ScriptedCaller(port, Handshake.nonce(new Random(4)), other)) {
                assertNotRegistered(stranger);
            }
        }
    }

    @Test
    void greetingWithoutAnIncarnationEndsTheConnection() throws Exception {
        try (ScriptedCaller stranger = new ScriptedCaller(port)) {
            GreetRequest greeting = stranger.greeting();
            greeting.unsetFromIncarnation();
            stranger.send(HostMethods.GREET, greeting);
            assertThat(stranger.raw().isEnded()).isTrue();
        }
    }

    @Test
    void strangerDoesNotLearnWhoIsRegistered() throws Exception {
        fixture.gone.add(ScriptedCaller.NAME);
        try (ScriptedCaller stranger = new ScriptedCaller(port)) {
            assertRefused(stranger, stranger.greet().callerProof(OTHER_SECRET));
        }
        fixture.gone.clear();
    }

    // --- Out of turn ---

    @Test
    void callBeforeTheHandshakeIsNotLookedAt() throws Exception {
        FindOffsetRequest request = new FindOffsetRequest(
                1000, new HostPartition(PARTITION.topic().mostSignificant(), 0, PARTITION.partition()), 1);
        try (ScriptedCaller stranger = new ScriptedCaller(port)) {
            stranger.send(HostMethods.FIND_OFFSET, request);
            assertThat(stranger.raw().isEnded()).isTrue();
        }
        try (ScriptedCaller stranger = new ScriptedCaller(port)) {
            stranger.greet();
            stranger.send(HostMethods.FIND_OFFSET, request);
            assertThat(stranger.raw().isEnded()).isTrue();
        }
    }

    @Test
    void proofWithoutAGreetingEndsTheConnection() throws Exception {
        try (ScriptedCaller stranger = new ScriptedCaller(port)) {
            stranger.send(
                    HostMethods.PROVE, new ProveRequest(ByteSlice.utf8("x").toByteBuffer()));
            assertThat(stranger.raw().isEnded()).isTrue();
        }
    }

    @Test
    void secondGreetingEndsTheConnection() throws Exception {
        try (ScriptedCaller stranger = new ScriptedCaller(port)) {
            stranger.greet();
            stranger.send(HostMethods.GREET, stranger.greeting());
            assertThat(stranger.raw().isEnded()).isTrue();
        }
    }

    @Test
    void greetingOrProofAfterTheHandshakeEndsTheConnection() throws Exception {
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            caller.send(HostMethods.GREET, caller.greeting());
            assertThat(caller.raw().isEnded()).isTrue();
        }
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            caller.send(HostMethods.PROVE, new ProveRequest(ByteSlice.utf8("x").toByteBuffer()));
            assertThat(caller.raw().isEnded()).isTrue();
        }
    }

    // --- Strangers at the address of an owner ---

    /** The caller goes no further: it neither sends the put nor waits. */
    private void assertNotBelieved(CompletableFuture<PutResult> put, RawConnection posing, String why)
            throws Exception {
        GatewayException failure = failure(put);
        assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(failure.detail()).contains(why, "nothing was done");
        assertThat(posing.isEnded()).isTrue();
    }

    @Test
    void ownerThatDoesNotKnowTheSecretGetsNoPut() throws Exception {
        try (ScriptedOwner posing = new ScriptedOwner()) {
            CompletableFuture<PutResult> put =
                    fixture.forwarder().owner(posing.peer()).put(fixture.put("x"));
            try (RawConnection connection = posing.accept()) {
                ScriptedOwner.readGreeting(connection);
                ScriptedOwner.greet(connection, Handshake.nonce(new Random(5)));
                ScriptedOwner.readProof(connection);
                ScriptedOwner.prove(connection, new ByteSlice(new byte[32]));

                assertNotBelieved(put, connection, "it does not know the secret of the cluster");
            }
        }
    }

    @Test
    void ownProofThatIsReflectedIsNotBelieved() throws Exception {
        try (ScriptedOwner posing = new ScriptedOwner()) {
            CompletableFuture<PutResult> put =
                    fixture.forwarder().owner(posing.peer()).put(fixture.put("x"));
            try (RawConnection connection = posing.accept()) {
                GreetRequest greeting = ScriptedOwner.readGreeting(connection);
                ScriptedOwner.greet(connection, new ByteSlice(greeting.getNonce()));
                ScriptedOwner.prove(connection, ScriptedOwner.readProof(connection));

                assertNotBelieved(put, connection, "it does not know the secret of the cluster");
            }
        }
    }

    @Test
    void ownerThatSkipsTheProofGetsNoPut() throws Exception {
        try (ScriptedOwner posing = new ScriptedOwner()) {
            CompletableFuture<PutResult> put =
                    fixture.forwarder().owner(posing.peer()).put(fixture.put("x"));
            try (RawConnection connection = posing.accept()) {
                ScriptedOwner.readGreeting(connection);
                ScriptedOwner.greet(connection, Handshake.nonce(new Random(5)));
                ScriptedOwner.readProof(connection);
                ScriptedOwner.greet(connection, Handshake.nonce(new Random(6)));

                assertNotBelieved(put, connection, "does not");
            }
        }
    }

    @Test
    void hostThatIsNotTheOneThatWasMeantGetsNoPut() throws Exception {
        Forwarder forwarder = fixture.forwarder();

        GatewayException otherName =
                failure(forwarder.owner(owner.named("another")).put(fixture.put("x")));
        GatewayException otherLife =
                failure(forwarder.owner(owner.incarnation(8)).put(fixture.put("x")));

        assertThat(otherName.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(otherName.detail()).contains("there is owner, incarnation 7, at its address");
        assertThat(otherLife.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
    }

    // --- In time ---

    @Test
    void strangerThatDoesNotProveInTimeIsPutOut() throws Exception {
        try (LogLines log = new LogLines();
                ScriptedCaller greeted = new ScriptedCaller(port)) {
            greeted.greet();
            time.advance(PeerConfig.DEFAULT.handshakeTimeout().minusMillis(1));
            assertThat(owner.server().strangers()).isEqualTo(1);
            time.advance(Duration.ofMillis(1));

            assertThat(greeted.raw().isEnded()).isTrue();
            assertThat(log.texts()).singleElement().asString().contains("did not prove in time");
        }
        Await.until(() -> owner.server().strangers() == 0);
    }

    @Test
    void hostThatHasProvedMayBeSilent() throws Exception {
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            time.advance(Duration.ofDays(1));

            FindOffsetRequest request = new FindOffsetRequest(1000, new HostPartition(0, 0, 0), 41);
            assertThat(caller.call(HostMethods.FIND_OFFSET, request).getOffset())
                    .isEqualTo(41);
        }
        owner.partitions().others.clear();
    }
}
