package io.talosgateway.scheduler;

import org.jspecify.annotations.Nullable;

/**
 * What can hang in a {@link TimerWheel}, in one at a time; a superclass, so that hanging there costs no further object.
 * Guarded by whatever guards the wheel.
 */
abstract class WheelEntry {

    long atNanos;

    @Nullable
    WheelEntry previousInSlot;

    @Nullable
    WheelEntry nextInSlot;

    int slot = TimerWheel.NOT_IN_WHEEL;
}
