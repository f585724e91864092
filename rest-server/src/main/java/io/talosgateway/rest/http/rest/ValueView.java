package io.talosgateway.rest.http.rest;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

/** The form in which a client wants to see values, and what comes of it for one message. Stateless. */
enum ValueView {
    /** As they were put. The form of messages of Talos SDKs is not known: they are text if they can be. */
    AS_PUT,
    /** UTF-8 as text. */
    TEXT,
    /** JSON as JSON, also if it was put as text or bytes. */
    JSON,
    /** Everything in Base64. */
    BASE64;

    /** Its name in the query. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** @param name null for the default */
    static ValueView of(@Nullable String name) {
        if (name == null) {
            return AS_PUT;
        }
        for (ValueView view : values()) {
            if (view.text().equals(name)) {
                return view;
            }
        }
        throw RestCall.malformed("The query parameter value must be one of %s, not '%s'."
                .formatted(Arrays.stream(values()).map(ValueView::text).collect(Collectors.joining(", ")), name));
    }

    /** The form in which a message is shown. What a block says of the form of its messages may be wrong: it is checked. */
    ValueForm formOf(Message message) {
        Payload payload = new Payload(message.payload());
        ValueForm put = message.form();
        if (this == BASE64 || (this == AS_PUT && put == ValueForm.BYTES)) {
            return ValueForm.BYTES;
        }
        boolean asJson = this == JSON || (this == AS_PUT && put == ValueForm.JSON);
        if (asJson && payload.isJson()) {
            return ValueForm.JSON;
        }
        return mayBeText(message, payload) && payload.isText() ? ValueForm.TEXT : ValueForm.BYTES;
    }

    /** What is put as text is text however long it gets; else escapes must not make it much longer than it is. */
    private boolean mayBeText(Message message, Payload payload) {
        ValueForm put = message.form();
        if (this == TEXT || put == ValueForm.TEXT) {
            return true;
        }
        return put != ValueForm.BYTES && payload.isShortAsText();
    }

    /** Most bytes of JSON that the value of a message takes. */
    long maxBytes(Message message) {
        Payload payload = new Payload(message.payload());
        // As JSON it takes no more than it has, and that is less than in Base64.
        return this != BASE64 && mayBeText(message, payload)
                ? Math.max(payload.base64Bytes(), payload.textBytes())
                : payload.base64Bytes();
    }
}
