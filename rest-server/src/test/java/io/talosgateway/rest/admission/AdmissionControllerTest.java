package io.talosgateway.rest.admission;

import java.time.Duration;
import java.util.List;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.admission.AdmissionController.Permit;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AdmissionControllerTest {

    private long nowNanos = Long.MAX_VALUE - 5;
    private final CollectorRegistry registry = new CollectorRegistry();
    private final AdmissionController admission =
            new AdmissionController(new AdmissionConfig(new DataSize(100), 3, 4, 100, 100), registry, () -> nowNanos);

    private static void assertRefused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    private double metric(String name) {
        return registry.getSampleValue(name);
    }

    @Test
    void bytesAreBoundedAndGivenBack() {
        Permit first = admission.admit(60);
        assertRefused(ErrorCode.OVERLOADED, () -> admission.admit(41));
        Permit second = admission.admit(40);
        assertThat(metric("talos_bytes_in_flight")).isEqualTo(100);
        assertThat(registry.getSampleValue(
                        "talos_admission_refused_total", new String[] {"reason"}, new String[] {"bytes"}))
                .isEqualTo(1);

        first.release();
        first.release();
        second.release();

        assertThat(metric("talos_bytes_in_flight")).isZero();
        assertThat(metric("talos_requests_in_flight")).isZero();
    }

    @Test
    void requestsAreBounded() {
        Permit first = admission.admit(0);
        admission.admit(0);
        admission.admit(0);
        assertRefused(ErrorCode.OVERLOADED, () -> admission.admit(0));
        first.release();
        admission.admit(0);

        assertThat(admission.requestsInFlight()).isEqualTo(3);
    }

    @Test
    void oneRequestIsAlwaysAdmittedHoweverLarge() {
        Permit large = admission.admit(1_000);
        assertRefused(ErrorCode.OVERLOADED, () -> admission.admit(1));
        large.release();

        assertThat(metric("talos_bytes_in_flight")).isZero();
    }

    @Test
    void bodyOfUnknownLengthGrowsAsFarAsThereIsRoom() {
        admission.admit(50);
        Permit growing = admission.admit(0);
        growing.reserve(50);
        assertRefused(ErrorCode.OVERLOADED, () -> growing.reserve(1));
        growing.release();

        assertThat(metric("talos_bytes_in_flight")).isEqualTo(50);
    }

    @Test
    void answersAreCountedEvenIfThereIsNoRoom() {
        Permit permit = admission.admit(90);
        permit.count(1_000);
        assertThat(metric("talos_bytes_in_flight")).isEqualTo(1_090);
        permit.release();

        assertThat(metric("talos_bytes_in_flight")).isZero();
    }

    @Test
    void nothingIsAdmittedOnceDraining() {
        Permit before = admission.admit(10);
        admission.drain();

        assertRefused(ErrorCode.PARTITION_NOT_SERVING, () -> admission.admit(0));
        before.release();
        assertThat(admission.requestsInFlight()).isZero();
    }

    @Test
    void nothingIsCountedForARequestThatHasEnded() {
        Permit permit = admission.admit(10);
        permit.release();
        permit.count(50);
        permit.reserve(50);

        assertThat(metric("talos_bytes_in_flight")).isZero();
    }

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    @Test
    void hostIsStuckOnceEverythingIsRefusedAndNothingEndsForLong() {
        Permit first = admission.admit(0);
        admission.admit(0);
        admission.admit(0);
        pass(AdmissionController.STUCK_AFTER);
        assertThat(admission.isStuck()).as("full, but nobody was refused").isFalse();

        assertRefused(ErrorCode.OVERLOADED, () -> admission.admit(0));
        pass(AdmissionController.STUCK_AFTER.minusNanos(1));
        assertRefused(ErrorCode.OVERLOADED, () -> admission.admit(0));
        assertThat(admission.isStuck()).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(admission.isStuck()).isTrue();

        first.release();
        assertThat(admission.isStuck()).as("a request has ended").isFalse();
    }

    @Test
    void hostThatRefusesManyIsNotStuckWhileRequestsEnd() {
        admission.admit(0);
        admission.admit(0);
        Permit current = admission.admit(0);
        for (int second = 0; second < 60; second++) {
            assertRefused(ErrorCode.OVERLOADED, () -> admission.admit(0));
            pass(Duration.ofSeconds(1));
            assertThat(admission.isStuck()).isFalse();
            current.release();
            current = admission.admit(0);
        }
        assertRefused(ErrorCode.OVERLOADED, () -> admission.admit(0));
        pass(AdmissionController.STUCK_AFTER.minusNanos(1));
        assertThat(admission.isStuck()).isFalse();
        pass(Duration.ofNanos(1));
        assertThat(admission.isStuck()).isTrue();
    }

    @Test
    void hostThatShutsDownIsNotStuck() {
        admission.drain();
        assertRefused(ErrorCode.PARTITION_NOT_SERVING, () -> admission.admit(0));
        pass(AdmissionController.STUCK_AFTER);

        assertThat(admission.isStuck()).isFalse();
    }

    private AdmissionController withShares(int perKey, int perAddress) {
        return new AdmissionController(
                new AdmissionConfig(new DataSize(100), 10, 10, perKey, perAddress),
                new CollectorRegistry(),
                () -> nowNanos);
    }

    @Test
    void oneAddressHasItsShareOfRequestsOnly() {
        AdmissionController shared = withShares(100, 30);
        List<Permit> first = List.of(shared.admit("a"), shared.admit("a"), shared.admit("a"));
        assertRefused(ErrorCode.THROTTLED, () -> shared.admit("a"));
        Permit other = shared.admit("b");
        assertThat(shared.requestsInFlight()).isEqualTo(4);
        assertThat(shared.clients()).isEqualTo(2);

        first.get(0).release();
        shared.admit("a").release();
        first.forEach(Permit::release);
        other.release();
        assertThat(shared.requestsInFlight()).isZero();
        assertThat(shared.clients()).isZero();
    }

    @Test
    void oneKeyHasItsShareOfRequestsOnlyWhereverTheyComeFrom() {
        AdmissionController shared = withShares(20, 100);
        shared.admit("a").countFor("key");
        Permit second = shared.admit("b");
        second.countFor("key");
        Permit third = shared.admit("c");
        assertRefused(ErrorCode.THROTTLED, () -> third.countFor("key"));
        third.countFor("other");
        third.release();
        second.release();

        shared.admit("c").countFor("key");
        assertThat(shared.requestsInFlight()).isEqualTo(2);
    }

    @Test
    void oneClientHasItsShareOfBytesOnly() {
        AdmissionController shared = withShares(50, 60);
        Permit first = shared.admit("a");
        first.reserve(30);
        first.countFor("key");
        Permit second = shared.admit("b");
        second.countFor("key");
        assertRefused(ErrorCode.THROTTLED, () -> second.reserve(21));
        second.reserve(20);
        Permit sameAddress = shared.admit("a");
        sameAddress.countFor("other");
        assertRefused(ErrorCode.THROTTLED, () -> sameAddress.reserve(31));
        sameAddress.reserve(30);
        Permit third = shared.admit("c");
        third.reserve(20);
        assertRefused(ErrorCode.OVERLOADED, () -> third.reserve(1));

        first.release();
        second.release();
        sameAddress.release();
        third.reserve(80);
        third.release();
        assertThat(shared.clients()).isZero();
    }

    @Test
    void clientThatIsAloneMayHaveOneLargeRequest() {
        AdmissionController shared = withShares(10, 10);
        Permit large = shared.admit("a");
        large.countFor("key");
        large.reserve(500);
        assertRefused(ErrorCode.OVERLOADED, () -> shared.admit("b"));
        large.release();
        shared.admit("b").reserve(1);
    }

    @Test
    void getsThatWaitAreCountedApartFromRequests() {
        AdmissionController shared = new AdmissionController(
                new AdmissionConfig(new DataSize(100), 100, 4, 50, 100), new CollectorRegistry(), () -> nowNanos);
        Permit first = shared.admit("a");
        first.countFor("key");
        first.startWaiting();
        Permit second = shared.admit("a");
        second.countFor("key");
        second.startWaiting();
        Permit third = shared.admit("a");
        third.countFor("key");
        assertRefused(ErrorCode.THROTTLED, third::startWaiting);

        first.release();
        third.startWaiting();
        second.release();
        third.release();
        assertThat(shared.clients()).isZero();
    }
}
