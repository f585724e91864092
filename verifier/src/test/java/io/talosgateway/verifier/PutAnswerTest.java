package io.talosgateway.verifier;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What answers say. */
final class PutAnswerTest {

    private static PutAnswer of(int status, String body) {
        return PutAnswer.of(status, body.getBytes(StandardCharsets.UTF_8), 5, 3, 2);
    }

    private static String problem(String code, String retry) {
        return "{\"type\":\"t\",\"title\":\"t\",\"status\":503,\"detail\":\"d\",\"code\":\"%s\",\"retry\":\"%s\"}"
                .formatted(code, retry);
    }

    @Test
    void storedSaysWhere() {
        assertThat(of(200, """
                        {"topic":"t","partition":3,"firstOffset":17,"count":2,"durability":"disk","repeat":true,\
                        "appendedAtMs":1}""")).isEqualTo(PutAnswer.stored("disk", 17, true));
    }

    @ParameterizedTest
    @CsvSource({
        "never,NOT_STORED,false",
        "after-backoff,NOT_STORED,true",
        "same-key,UNKNOWN,true",
        "outcome-unknown,UNKNOWN,true"
    })
    void retryClassSaysWhatBecameOfIt(String retry, Outcome outcome, boolean mayTryAgain) {
        assertThat(of(503, problem("overloaded", retry)))
                .isEqualTo(new PutAnswer(outcome, "overloaded", -1, false, mayTryAgain, 5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "<html>",
                "{\"partition\":4,\"firstOffset\":17,\"count\":2}",
                "{\"partition\":3,\"firstOffset\":17,\"count\":1}",
                "{\"partition\":3,\"firstOffset\":-1,\"count\":2}"
            })
    void answerToSomethingElseIsNone(String body) {
        assertThat(of(200, body)).isEqualTo(PutAnswer.none(Outcome.UNKNOWN, PutAnswer.MALFORMED));
        assertThat(of(502, body)).isEqualTo(PutAnswer.none(Outcome.UNKNOWN, PutAnswer.MALFORMED));
    }
}
