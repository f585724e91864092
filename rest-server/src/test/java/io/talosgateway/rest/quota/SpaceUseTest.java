package io.talosgateway.rest.quota;

import java.time.Duration;

import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SpaceUseTest {

    private final SteppedTime time = new SteppedTime();
    private final SpaceUse space = new SpaceUse(1_000, Duration.ofSeconds(1), time);

    @Test
    void whatWasLetInSinceThePartitionsWereAskedCounts() {
        assertThat(space.beginAsking()).isTrue();
        space.told(600, space.admittedBytes());
        assertThat(space.admit(300)).isTrue();
        assertThat(space.admit(101)).isFalse();
        assertThat(space.admit(100)).isTrue();
        assertThat(space.admit(1)).isFalse();
    }

    @Test
    void whatWasLetInBeforeThePartitionsWereAskedIsNotCountedTwice() {
        space.beginAsking();
        space.told(0, 0);
        space.admit(500);
        time.advance(Duration.ofSeconds(1));
        assertThat(space.beginAsking()).isTrue();
        long before = space.admittedBytes();
        space.admit(200);
        space.told(500, before);
        assertThat(space.admit(301)).isFalse();
        assertThat(space.admit(300)).isTrue();
    }

    @Test
    void partitionsAreAskedOnceASecondAndNotTwiceAtATime() {
        assertThat(space.beginAsking()).isTrue();
        assertThat(space.beginAsking()).isFalse();
        space.notTold();
        assertThat(space.isKnown()).isFalse();
        assertThat(space.beginAsking()).as("nothing is known yet").isTrue();
        space.told(0, 0);
        assertThat(space.beginAsking()).isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(space.beginAsking()).isTrue();
    }

    @Test
    void whatIsGivenBackIsRoomAgain() {
        space.beginAsking();
        space.told(0, 0);
        space.admit(1_000);
        space.giveBack(400);
        assertThat(space.admit(401)).isFalse();
        assertThat(space.admit(400)).isTrue();
    }

    @Test
    void messagesThatAreDeletedMakeRoom() {
        space.beginAsking();
        space.told(1_000, 0);
        assertThat(space.admit(1)).isFalse();
        time.advance(Duration.ofSeconds(1));
        space.beginAsking();
        space.told(10, space.admittedBytes());
        assertThat(space.admit(990)).isTrue();
    }
}
