package io.talosgateway.deploy;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.client.NewMessage;
import io.talosgateway.client.Stored;

/** A put of the power cut test, and what is known of it. For one thread at a time. */
final class PowerCutPut {

    /** What the next cut may make of it. */
    enum State {
        /** Nobody said whether it is stored. */
        UNKNOWN,
        /** It was answered with the level {@code memory}. */
        HELD,
        /** It was answered with the level {@code disk}, or was read after a cut. */
        SAFE,
        /** It was answered with the level {@code memory}, and did not survive a cut. */
        LOST
    }

    private final PowerCutMessage first;
    private final String topic;
    private final int partition;
    private final int count;
    private State state = State.UNKNOWN;
    private long offset = -1;
    private long foundAt = -1;
    private int found;

    PowerCutPut(int writer, int number, String topic, int partition, int count) {
        this.first = new PowerCutMessage(writer, number, 0);
        this.topic = topic;
        this.partition = partition;
        this.count = count;
    }

    String topic() {
        return topic;
    }

    int partition() {
        return partition;
    }

    State state() {
        return state;
    }

    int number() {
        return first.number();
    }

    String idempotencyKey() {
        return "put-" + first.writer() + "-" + first.number();
    }

    List<NewMessage> messages(long seed) {
        List<NewMessage> messages = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            messages.add(NewMessage.of(new PowerCutMessage(first.writer(), first.number(), index).payload(seed)));
        }
        return messages;
    }

    /** It is answered; says what is wrong with that, or null. */
    String answered(Stored stored) {
        if (state == State.SAFE) {
            return stored.firstOffset() == offset && stored.repeat()
                    ? null
                    : "is stored at %d; a repeat was answered with %s".formatted(offset, stored);
        }
        state = stored.durability().equals("disk") ? State.SAFE : State.HELD;
        offset = stored.firstOffset();
        return null;
    }

    /** It is put once more. */
    void repeated() {
        if (state == State.LOST) {
            state = State.UNKNOWN;
        }
    }

    /** Before everything is read. */
    void forgetFound() {
        found = 0;
        foundAt = -1;
    }

    /** One of its messages was read; says what is wrong with that, or null. */
    String found(int index, String inTopic, int inPartition, long at) {
        if (!inTopic.equals(topic) || inPartition != partition || index >= count) {
            return "was never put there";
        }
        if (found++ == 0) {
            foundAt = at - index;
        }
        return foundAt == at - index ? null : "is stored twice, or not beside the others of its put";
    }

    /**
     * Everything was read: what was found stays. Says what is wrong, or null.
     *
     * @param cut whether the power was cut since it was answered
     */
    String allRead(boolean cut) {
        if (found != 0 && found != count) {
            return "has %d of %d messages stored".formatted(found, count);
        }
        boolean answered = state == State.SAFE || state == State.HELD;
        if (found > 0 && answered && foundAt != offset) {
            return "was answered with offset %d and is at %d".formatted(offset, foundAt);
        }
        if (found > 0 && state == State.LOST) {
            return "was gone after an earlier cut and is back";
        }
        if (found == 0 && (state == State.SAFE || (state == State.HELD && !cut))) {
            return "was %s at offset %d and is gone".formatted(state, offset);
        }
        if (found > 0) {
            state = State.SAFE;
            offset = foundAt;
        } else if (state == State.HELD) {
            state = State.LOST;
        }
        return null;
    }

    @Override
    public String toString() {
        return "put %d of writer %d to %s/%d".formatted(first.number(), first.writer(), topic, partition);
    }
}
