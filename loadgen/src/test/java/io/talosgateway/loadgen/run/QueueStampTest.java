package io.talosgateway.loadgen.run;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class QueueStampTest {

    private static final QueueStamp STAMP = new QueueStamp(123_456_789_012L, true);
    private static final QueueStamp WARM = new QueueStamp(5, false);

    @Test
    void tellsWhenTheMessageWasPutAndWhetherItCounts() {
        byte[] payload = QueueStamp.payload(100, 1);

        assertThat(STAMP.message(payload, 7)).hasSize(100);
        assertThat(QueueStamp.of(STAMP.message(payload, 7))).isEqualTo(STAMP);
        assertThat(QueueStamp.of(WARM.message(payload, 0))).isEqualTo(WARM);
    }

    @Test
    void messagesDifferAndSeedsMakeThemAgain() {
        byte[] message = STAMP.message(QueueStamp.payload(100, 1), 2);

        assertThat(message).isEqualTo(STAMP.message(QueueStamp.payload(100, 1), 2));
        assertThat(message).isNotEqualTo(STAMP.message(QueueStamp.payload(100, 1), 3));
        assertThat(message).isNotEqualTo(STAMP.message(QueueStamp.payload(100, 2), 2));
    }
}
