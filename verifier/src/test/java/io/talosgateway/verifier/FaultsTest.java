package io.talosgateway.verifier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Hosts are always put back. */
final class FaultsTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final List<String> commands = new ArrayList<>();
    private final AtomicLong nowNanos = new AtomicLong();
    private final CountDownLatch stop = new CountDownLatch(1);
    private boolean ready = true;
    private final Periods periods = new Periods(1, "");

    private Faults faults(FaultKind kind, VerifiedHosts hosts) {
        // What is held is not waited for: a pause of no length.
        FaultSchedule schedule =
                new FaultSchedule(List.of(kind), StubCluster.named(List.of("gateway-1")), Duration.ZERO, 1);
        return new Faults(
                schedule, Duration.ofNanos(4), hosts, () -> ready, nowNanos::get, periods, text -> {}, gateway -> {
                    commands.add("connect");
                    return new Requests();
                });
    }

    private final class Requests implements Faults.DuringPause {
        @Override
        public void send() {
            commands.add("send");
        }

        @Override
        public void receive() {
            commands.add("receive");
        }

        @Override
        public void close() {
            commands.add("close");
        }
    }

    /** Each command takes ten seconds. */
    private void note(String command, String host, List<String> arguments) {
        commands.add(command + " " + host + (arguments.isEmpty() ? "" : " " + arguments));
        nowNanos.addAndGet(10 * SECOND);
    }

    @Test
    void faultsComeOneAfterAnotherUntilThereIsNoTimeForOne() throws Exception {
        Faults faults = faults(FaultKind.PAUSE, this::note);

        faults.run(45 * SECOND, stop);

        assertThat(commands)
                .containsExactly(
                        "connect",
                        "pause gateway-1",
                        "send",
                        "resume gateway-1",
                        "receive",
                        "close",
                        "connect",
                        "pause gateway-1",
                        "send",
                        "resume gateway-1",
                        "receive",
                        "close");
        assertThat(faults.current()).isEqualTo("none");
        assertThat(periods.excuse(0, 5 * SECOND, 6 * SECOND)).isTrue();
        assertThat(periods.excuse(0, 41 * SECOND, 42 * SECOND)).isFalse();
        periods.begin("end", nowNanos.get());
        assertThat(periods.over()).extracting(period -> period.name).containsExactly("", "pause", "pause");
        Periods.Period first = periods.over().get(1);
        assertThat(first.backNanos - first.beganNanos).isEqualTo(20 * SECOND);
    }

    @Test
    void gatewayThatWasCutOffIsConnectedAgain() throws Exception {
        faults(FaultKind.PARTITION, this::note).run(20 * SECOND, stop);

        assertThat(commands).containsExactly("partition gateway-1", "heal gateway-1");
    }

    @Test
    void clockIsPutRightAndExcusesNobody() throws Exception {
        // It holds for seconds, which nobody waits for here.
        faults(FaultKind.CLOCK, (command, host, arguments) -> {
                    note(command, host, arguments);
                    stop.countDown();
                })
                .run(1_000 * SECOND, stop);

        assertThat(commands).hasSize(2);
        assertThat(commands.get(0)).matches("shift-clock gateway-1 \\[P(T-?[0-9]+[MH]|-?[0-9]+D)\\]");
        assertThat(commands.get(1)).isEqualTo("reset-clock gateway-1");
        assertThat(periods.excuse(0, 0, 100 * SECOND)).isFalse();
    }

    @Test
    void powerCutIsDoneToAllAndExcusesAll() throws Exception {
        faults(FaultKind.POWER, (command, host, arguments) -> {
                    note(command, host, arguments);
                    stop.countDown();
                })
                .run(1_000 * SECOND, stop);

        assertThat(commands).containsExactly("kill all", "start all");
        assertThat(periods.excuse(0, 5 * SECOND, 6 * SECOND)).isTrue();
    }

    @Test
    void restartOfOneCommandNeedsNothingToBePutBack() throws Exception {
        faults(FaultKind.ZOOKEEPER, this::note).run(10 * SECOND, stop);

        assertThat(commands).containsExactly("restart zookeeper");
    }

    @Test
    void hostIsPutBackAtOnceWhenTheRunIsInterrupted() throws Exception {
        // A kill holds for seconds, which nobody waits for here.
        faults(FaultKind.KILL, (command, host, arguments) -> {
                    note(command, host, arguments);
                    stop.countDown();
                })
                .run(1_000 * SECOND, stop);

        assertThat(commands).containsExactly("kill gateway-1", "start gateway-1");
    }

    @Test
    void gatewayThatIsNotReadyWhenTheRunEndsIsExcused() throws Exception {
        ready = false;
        faults(FaultKind.KILL, (command, host, arguments) -> {
                    note(command, host, arguments);
                    stop.countDown();
                })
                .run(1_000 * SECOND, stop);

        assertThat(periods.excuse(0, 900 * SECOND, 901 * SECOND)).isTrue();
    }

    @Test
    void hostIsPutBackWhenTheCommandFails() {
        VerifiedHosts hosts = (command, host, arguments) -> {
            note(command, host, arguments);
            if (command.equals("pause")) {
                throw new LoadFailure("no such host");
            }
        };

        assertThatThrownBy(() -> faults(FaultKind.PAUSE, hosts).run(1_000 * SECOND, stop))
                .isInstanceOf(LoadFailure.class)
                .hasMessage("no such host");
        assertThat(commands).containsExactly("connect", "pause gateway-1", "close", "resume gateway-1");
    }

    @Test
    void puttingBackIsTriedAgain() {
        VerifiedHosts hosts = (command, host, arguments) -> {
            note(command, host, arguments);
            if (commands.size() == 4) {
                throw new LoadFailure("not now");
            }
        };

        assertThatThrownBy(() -> faults(FaultKind.PAUSE, hosts).run(1_000 * SECOND, stop))
                .hasMessage("not now");
        assertThat(commands)
                .containsExactly("connect", "pause gateway-1", "send", "resume gateway-1", "close", "resume gateway-1");
    }
}
