package io.talosgateway.rest.http.rest;

import java.util.Arrays;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ValueViewTest {

    private static final String INVALID_UTF8 = "\u00ff";

    private static Message message(@Nullable ValueForm form, byte... payload) {
        return new Message(null, null, new ByteSlice(payload), null, 1L, Message.UTF8, null, null, form);
    }

    private static byte[] latin1(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static String shown(Message message, ValueView view) {
        String json = Json.write(MessageJson.shown(0, message, view)).utf8();
        return json.substring("{'offset':0,".length(), json.length() - ",'appendedAtMs':1}".length());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TEXT | as-put | TEXT",
                "TEXT | text | TEXT",
                "TEXT | json | JSON",
                "TEXT | base64 | BYTES",
                "JSON | as-put | JSON",
                "JSON | text | TEXT",
                "JSON | json | JSON",
                "JSON | base64 | BYTES",
                "BYTES | as-put | BYTES",
                "BYTES | text | TEXT",
                "BYTES | json | JSON",
                "BYTES | base64 | BYTES",
                " | as-put | TEXT",
                " | text | TEXT",
                " | json | JSON",
                " | base64 | BYTES"
            })
    void theViewDecidesAndTheFormOfThePutIfThereIsNone(@Nullable ValueForm put, String view, ValueForm expected) {
        assertThat(ValueView.of(view).formOf(message(put, latin1("{\"a\":1}")))).isEqualTo(expected);
    }

    /** A block of a client may say anything: an answer is JSON all the same. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "1 2",
                "1},{\"offset\":9",
                "",
                " ",
                "nul",
                "NaN",
                "01",
                "{\"a\":\"\u00ff\"}",
                "\u00ff",
                "\u00fe\u00ff\u0000[\u0000]",
                "[\u0000]\u0000",
                "\u0000[\u0000]"
            })
    void whatIsNoJsonIsNotShownAsJson(String latin1) {
        Message message = message(ValueForm.JSON, latin1(latin1));
        for (ValueView view : ValueView.values()) {
            assertThat(view.formOf(message)).isNotEqualTo(ValueForm.JSON);
        }
    }

    @Test
    void nestingHasALimit() {
        assertThat(ValueView.JSON.formOf(message(null, latin1("[".repeat(200) + "]".repeat(200)))))
                .isEqualTo(ValueForm.JSON);
        assertThat(ValueView.JSON.formOf(message(null, latin1("[".repeat(201) + "]".repeat(201)))))
                .isEqualTo(ValueForm.TEXT);
    }

    /** Half of a surrogate pair has no UTF-8. */
    @Test
    void loneSurrogatesStayEscapes() {
        String json = "{\"a\":\"\\ud800\"}";
        assertThat(shown(message(ValueForm.JSON, latin1(json)), ValueView.AS_PUT))
                .isEqualTo("\"value\":{\"a\":\"\\uD800\"}");
    }

    /** A line of NDJSON and a line of an event end at a line feed. */
    @Test
    void jsonOfOthersIsShownOnOneLine() {
        Message pretty = message(null, latin1("{\n  \"a\" : [ 1.0,\r\n 2 ]\n}\n"));
        assertThat(shown(pretty, ValueView.JSON)).isEqualTo("\"value\":{\"a\":[1.0,2]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "1.0",
                "-0.0",
                "1E400",
                "1e-400",
                "123456789012345678901234567890",
                "0.1000000000000000055511151231257827",
                "{\"a\":1.50,\"a\":2}",
                "true",
                "[null]"
            })
    void numbersAndNamesStayAsTheyWerePut(String json) {
        assertThat(shown(message(ValueForm.JSON, latin1(json)), ValueView.AS_PUT))
                .isEqualTo("\"value\":" + json);
    }

    @Test
    void textStaysTextHoweverMuchEscapesTake() {
        byte[] controls = new byte[100];
        Arrays.fill(controls, (byte) 1);
        assertThat(ValueView.AS_PUT.formOf(message(ValueForm.TEXT, controls))).isEqualTo(ValueForm.TEXT);
        assertThat(ValueView.AS_PUT.formOf(message(null, controls))).isEqualTo(ValueForm.BYTES);
        assertThat(ValueView.TEXT.formOf(message(null, controls))).isEqualTo(ValueForm.TEXT);
    }

    @Test
    void whatIsNoTextIsBytes() {
        for (ValueForm form : ValueForm.values()) {
            for (ValueView view : ValueView.values()) {
                assertThat(view.formOf(message(form, latin1(INVALID_UTF8)))).isEqualTo(ValueForm.BYTES);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"AS_PUT", "asput", "xml", ""})
    void otherNamesAreRefused(String name) {
        assertThatThrownBy(() -> ValueView.of(name))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST))
                .hasMessageContaining("as-put, text, json, base64");
    }
}
