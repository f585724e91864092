package io.talosgateway.wire.message;

import org.jspecify.annotations.Nullable;

/** The form in which the JSON interface was given the value of a message. The payload is the same bytes in every form. */
public enum ValueForm {
    /** A JSON string. The payload is its UTF-8. */
    TEXT(1),
    /** Any other JSON value. The payload is that value as compact JSON. */
    JSON(2),
    /** Bytes, which JSON shows as Base64. */
    BYTES(3);

    private final byte code;

    ValueForm(int code) {
        this.code = (byte) code;
    }

    /** Its number in a message block. */
    public byte code() {
        return code;
    }

    /** The form that has this number; null if there is none, as for messages of newer gateways. */
    public static @Nullable ValueForm ofCode(byte code) {
        for (ValueForm form : values()) {
            if (form.code == code) {
                return form;
            }
        }
        return null;
    }
}
