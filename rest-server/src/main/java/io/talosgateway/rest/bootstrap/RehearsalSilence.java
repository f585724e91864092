package io.talosgateway.rest.bootstrap;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/** Keeps what a rehearsal logs out of the log of the gateway, where it would be taken for the gateway's own. */
final class RehearsalSilence extends TurboFilter {

    private RehearsalSilence() {}

    /** Until {@link #end}. Without Logback, nothing is left out. */
    static RehearsalSilence begin() {
        RehearsalSilence silence = new RehearsalSilence();
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.addTurboFilter(silence);
        }
        return silence;
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable failure) {
        return WarmUp.groupOf(Thread.currentThread()) == null ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    void end() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getTurboFilterList().remove(this);
        }
    }
}
