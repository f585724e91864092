package io.talosgateway.rest.errors;

import java.util.Locale;

/** Whether, and how, a failed request may be repeated. */
public enum RetryAdvice {
    /** The request itself is wrong: the same request fails again. */
    NEVER,
    /** Nothing was stored. The same request may succeed later. */
    AFTER_BACKOFF,
    /** Something may be stored; repeating with the same idempotency key stores it once. */
    SAME_KEY,
    /** Something may be stored, and there is no idempotency key: repeating may store it twice. */
    OUTCOME_UNKNOWN;

    /** The name in answers, such as {@code after-backoff}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
