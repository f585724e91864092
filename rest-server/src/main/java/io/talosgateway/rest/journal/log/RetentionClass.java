package io.talosgateway.rest.journal.log;

import java.time.Duration;
import java.util.Locale;

/**
 * Topics of similar retention share lanes: a file can be deleted only when everything in it is expired, so that one
 * message that is kept for a year would keep a file full of messages that are kept for an hour.
 */
enum RetentionClass {
    HOURS(Duration.ofHours(12)),
    DAYS(Duration.ofDays(3)),
    WEEKS(Duration.ofDays(21)),
    MONTHS(Duration.ofDays(36_500));

    private final Duration longest;

    RetentionClass(Duration longest) {
        this.longest = longest;
    }

    static RetentionClass of(Duration retention) {
        for (RetentionClass candidate : values()) {
            if (retention.compareTo(candidate.longest) <= 0) {
                return candidate;
            }
        }
        return MONTHS;
    }

    /** What the names of its lanes start with. */
    String laneName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
